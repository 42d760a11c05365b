/**
 * Passwords that attackers try first (NIST SP 800-63B §3.1.1.2: compare with commonly used and expected values). Only
 * whole passwords are compared: a phrase that merely contains a common word is not common. Passwords shorter than 8
 * characters are rejected for their length.
 */

const LISTED = new Set(
  `
12345678 123456789 1234567890 12345678910 123456789012 1234567890123 12345678901234 123456789012345 1234567890123456
0123456789 987654321 9876543210 87654321 11223344 1122334455 112233445566 12341234 123123123 123321123 123456123456
147258369 159357456 741852963 789456123 963852741 1q2w3e4r 1q2w3e4r5t 1q2w3e4r5t6y 1q2w3e4r5t6y7u8i9o0p 1qaz2wsx
1qaz2wsx3edc 1qazxsw2 zaq12wsx zaq1zaq1 q1w2e3r4 q1w2e3r4t5 qwer1234 qwerty12 qwerty123 qwerty1234 qwerty12345
qwerty123456 qwertyui qwertyuio qwertyuiop qwertyuiop123 qwertyuiopasdfgh qwertyuiopasdfghjkl qwertyuiopasdfghjklzxcvbnm
qwertzui qwertzuiop qwertzuiopasdfgh azertyui azertyuiop asdfghjk asdfghjkl asdfghjkl123 asdf1234 asdfasdf asdasdasd
zxcvbnm1 zxcvbnm123 zxcvbnm, zxcvbnmasdfghjkl abcd1234 abcdefgh abcdefghi abcdefghij abcdefghijk abcdefghijklmno
abcdefghijklmnop abcdefghijklmnopqrstuvwxyz abc12345 abc123456 abc123abc abcabc123 a1b2c3d4 a1b2c3d4e5 aa123456 aa12345678
password passwords password! password1 password01 password1! password12 password123 password123! password1234
password12345 password123456 password1234567 password12345678 password123456789 password1234567890 passwordpassword
passwordpasswordpassword p@ssword p@ssw0rd p@ssword1 p@ssw0rd1 p@ssword123 p@ssw0rd123 pa$$word pa$$w0rd pass1234
pass12345 pass123456 passw0rd passw0rd1 passw0rd! passw0rd123 passwort passwort1 passwort123 passwort1234 passwortpasswort
motdepasse motdepasse123 contraseña contrasena contraseña123 contrasena123 senha123 senha1234 senha12345 parola123
wachtwoord wachtwoord1 wachtwoord123 lösenord lösenord123 haslo123 hasło123 heslo123 jelszo123 jelszó123 sifre123
sifre1234 парольпароль пароль123 йцукенгш йцукенгшщз salasana salasana123 passord123 adgangskode kodeord123
iloveyou iloveyou1 iloveyou2 iloveyou! iloveyou123 iloveyou1234 iloveyousomuch iloveyouforever iloveyoubaby iloveyoumom
iloveyoumore ichliebedich jetaime123 tequiero tequiero123 teamo123 teamo1234 tiamo123 sunshine sunshine1 princess
princess1 princess123 football football1 football123 baseball baseball1 basketball superman superman1 superman123
spiderman spiderman1 batman123 starwars starwars1 pokemon1 pokemon123 trustno1 letmein1 letmein! letmein123 letmeinletmein
letmeinplease letmeinnow welcome1 welcome! welcome01 welcome12 welcome123 welcome123! welcome1234 welcomewelcome
willkommen willkommen1 willkommen123 bienvenue bienvenido admin123 admin1234 admin12345 admin123456 adminadmin
adminadminadmin administrator administrator1 administrator123 root1234 rootroot toortoor changeme changeme1 changeme123
changeme! changemenow changemeplease pleasechangeme default1 default123 defaultpassword master123 mastermaster
secret123 secretsecret supersecret topsecret topsecret123 temp1234 temporary temporary1 temppassword test1234 test12345
test123456 testtest testtest1 testtesttest testtesttesttest testing1 testing123 tester123 testpassword demo1234
demodemo guest123 guestguest user1234 username username1 username123 usernamepassword login123 loginlogin hello123
hello1234 hellohello helloworld helloworld1 helloworld123 hallohallo hallo123 hallo1234 hallowelt computer computer1
computer123 internet internet1 internet123 samsung1 samsung123 google123 facebook facebook1 facebook123 linkedin
linkedin1 linkedin123 whatever whatever1 nothing1 anything1 someting something something1 dragon123 dragon12 monkey123
monkey12 shadow123 shadow12 michael1 michael123 jennifer jennifer1 jordan23 jordan123 michelle michelle1 daniel123
charlie1 charlie123 jessica1 jessica123 ashley123 thomas123 andrea123 nicole123 alexander alexander1 alexander123
elizabeth elizabeth1 christian christian1 liverpool liverpool1 liverpool123 chelsea1 chelsea123 arsenal1 arsenal123
manchester manchester1 barcelona barcelona1 barcelona123 realmadrid realmadrid1 juventus juventus1 fcbayern
fcbayernmuenchen schalke04 borussia borussia09 corvette mustang1 mercedes mercedes1 ferrari1 porsche911 cocacola
cocacola1 chocolate chocolate1 butterfly butterfly1 cheesecake strawberry blink182 metallica metallica1 slipknot
minecraft minecraft1 minecraft123 fortnite fortnite1 fortnite123 nintendo playstation playstation1 xboxxbox gameover
warcraft counterstrike counter-strike hunter12 hunter123 killer123 freedom1 freedom123 summer2020 summer2021 summer2022
summer2023 summer2024 summer2025 summer2026 winter2020 winter2021 winter2022 winter2023 winter2024 winter2025 winter2026
spring2024 spring2025 spring2026 autumn2024 autumn2025 autumn2026 january2025 january2026 sommer2024 sommer2025
sommer2026 company1 company123 business1 office123 security security1 security123 access14 accessgranted openopen
opensesame open-sesame opensesameopensesame 00000000 000000000000000 11111111 111111111111111 22222222 33333333 44444444
55555555 66666666 77777777 88888888 99999999 12121212 13131313 69696969 10203040 1020304050 102030405060 20202020
31415926 3141592653 314159265358979 314159265358979323 2718281828 271828182845904 p@$$w0rd p@$$word thisismypassword
thisismypassword1 thisismypassword123 mypassword mypassword1 mypassword123 mypasswordismypassword mynameismyname
yourpassword newpassword newpassword1 newpassword123 oldpassword nopassword nopassword1 notapassword passwordisapassword
passwordispassword passwordpassword1 passwordpassword123 iforgotmypassword idontknow idontknow1 dontknow donotknow
letmeinletmeinletmein ilovemyfamily ilovemymother ilovejesus jesuschrist jesuslovesme jesusislord inthebeginning
thequickbrownfox thequickbrownfoxjumps thequickbrownfoxjumpsoverthelazydog loremipsum loremipsumdolor
loremipsumdolorsitamet tobeornottobe tobeornottobethatisthequestion maytheforcebewithyou abracadabra abracadabra123
`
    .trim()
    .split(/\s+/),
);

/** A repeated unit of up to four characters, for example `abcabcabc`. */
const REPEATED = /^(.{1,4}?)\1+.{0,3}$/su;

/** Returns whether a password is one that attackers try early. */
export function isCommonPassword(password: string): boolean {
  const plain = password.normalize("NFKC").toLowerCase();
  const unit = REPEATED.exec(plain)?.[1];
  if (unit?.repeat(Math.ceil(plain.length / unit.length)).startsWith(plain)) return true;
  return LISTED.has(plain) || LISTED.has(plain.replace(/[\s._-]+/g, ""));
}
