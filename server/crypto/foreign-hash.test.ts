import { describe, expect, it } from "vitest";
import { checkImportedHash } from "../directory/user/imported-hash";
import { readForeignHash, withFirebaseScrypt } from "./foreign-hash";
import { isForeignHash, verifyPassword } from "./password-hash";

/** The password of the hashes that were made by Python's passlib 1.7.4. */
const PASSWORD = "Grüße, 4 nachts!";

const passlib = [
  "$pbkdf2$1000$F6J0zllLqRXiHGMMYQzB2A$CZQrAzUCRxg1by2mlPPgvi6crEY",
  "$pbkdf2-sha256$1000$UmotRcg5B4DQuveec07JWQ$QR3Tt0aG/wAIO/uHzZ4UdrzpxHLh0GHwPPktuK360gw",
  "$pbkdf2-sha512$1000$P6cUAmAs5RyDUOrdO4fwXg$HcxOLgTjDTQisdTVJYqKeDS/oZga6Gdm9.chI16hiXqMn6eY4G1vwY.KW6rhK.PXEJzu6B9h1i.V1CfWIIUvjg",
  "$5$wjyT9MCBtuFMyH7P$ct60Lf1i9kDYMXDQAfg9G7nF5qYBAngocd6y09ASFq9",
  "$6$rounds=1000$PEapYuHZQhhUEg10$R2JGliOqguUt/tevotiXB99oD.h0zfWZPerB2hLylrKUgvJULRkrrnCSqhCy010Z8vu3sTbjdVCDxmOIdup2Z0",
  "{CRYPT}$6$rounds=1000$PEapYuHZQhhUEg10$R2JGliOqguUt/tevotiXB99oD.h0zfWZPerB2hLylrKUgvJULRkrrnCSqhCy010Z8vu3sTbjdVCDxmOIdup2Z0",
  "$P$6/P0IZKTCxBOX.HsuY9UXRl2DCOLKi1",
  "$H$61VsO6xgtA/EB4.8T0WQiob/1rqybI/",
  "{SSHA}d8cAZsVekeK9yZL4DHB+JX91A5tTqrVW",
  "{SSHA256}Q93wsaBfkWtcv00T3TVZPKKgF2nMHNS3zkTvJXnXGvFwTomx1hqDEA==",
  "{SSHA512}yKVO3oavhjl3+R/6A89/BIZEmnnd+Te/A60uwXwSrAsf4XHTVEhgeiZ7GNetJcopkBiC+KNjhgTAejktBzOiLloLofReK+Xc",
  "$scrypt$ln=10,r=8,p=1$857znnPO2VvrvbeWMsZ4bw$p/NrZgL4ts2NUkL0NFfsvm0TLvP+b/bVkODIFLpsDwY",
  "$2b$05$cerDMDnc79Lg08Bpod3qIuKBK03DBKbfW83tjDgU8NyDEzKtuwqQu",
  "$2a$05$/8zBNC1iga41eBjXpID3..yoEKk2NnwDfYlJK7PksW6DQtNAe3Ne.",
  "$2y$05$mYEp0X8DIJRx8nvyzrWKqevyCpKWk7FvOPhHpMsEpQIF5EWPEAAeS",
];

const weak = [
  "$1$MUp/YJnR$WNSOo0Rdgj7uYrfPUO.Qg1",
  "$apr1$k2.UwbvS$qjfMLEFOgXWxK1UROFra50",
  "{SMD5}OiafR/brfR+YAiXXH3p/RMg5pxQ=",
  "{SHA}8FC464hy8z+17hInlS0a86W7gUQ=",
  "{MD5}DYUzkJQisK/G4nz96RMkxA==",
  "0d8533909422b0afc6e27cfde91324c4",
];

describe("hashes of other systems", () => {
  it.each(passlib)("made by passlib match their password and no other: %s", async (hash) => {
    expect(checkImportedHash(hash)).toBeUndefined();
    expect(isForeignHash(hash)).toBe(true);
    expect(await verifyPassword(PASSWORD, hash)).toBe(true);
    expect(await verifyPassword(`${PASSWORD}!`, hash)).toBe(false);
    expect(await verifyPassword("", hash)).toBe(false);
  });

  it.each(weak)("are accepted only by an import that allows weak ones: %s", async (hash) => {
    expect(checkImportedHash(hash)).toMatchObject({ id: "hash_weak" });
    expect(checkImportedHash(hash, true)).toBeUndefined();
    expect(await verifyPassword(PASSWORD, hash)).toBe(true);
    expect(await verifyPassword("another", hash)).toBe(false);
  });

  it.each([
    // https://www.akkadia.org/drepper/SHA-crypt.txt, as `openssl passwd` makes them
    ["Hello world!", "$5$saltstring$5B8vYYiY.CVt1RlTTf8KbXBH3hsxY/GNooZaBBGWEc5"],
    [
      "Hello world!",
      "$6$saltstring$svn8UoSVapNtMuq1ukKS4tPQd8iKwSMHWjl/O817G3uBnIFNjnQJuesI68u4OTLiBFdcbYEdFCoEOfaS35inz1",
    ],
    ["Hello world!", "$apr1$saltstr$657VxpqLCAXXzVs.p3YvD/"],
    // Longer than a block of the digest
    ["p".repeat(73), "$5$rounds=1000$KT2pTXd7T/kbu5XY$9.bU3nTHqJZXBlAa29.DewkiRlAV4ZmVMzkPk7MHIjD"],
    [
      "p".repeat(150),
      "$6$rounds=1000$jzPygBYw5gPxG0T2$4v/isi48bYWMVD6mQ0M23WV7zbNTlN6LfhkVsZmBGqe3jSms5uxfnxVtKsY.Tu0lbSH4.Jc3OXVve.zQQTYf..",
    ],
  ])("match the passwords of published examples: %s %s", async (password, hash) => {
    expect(await verifyPassword(password, hash)).toBe(true);
    expect(await verifyPassword(password.slice(1), hash)).toBe(false);
  });

  it("of Firebase match with the parameters of the project, which an import gives once", async () => {
    // https://github.com/firebase/scrypt
    const project = {
      signerKey: "jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA==",
      saltSeparator: "Bw==",
      rounds: 8,
      memoryCost: 14,
    };
    const sum = "lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ==";
    const short = `$fbscrypt$42xEC+ixf3L2lw==$${sum}`;
    expect(checkImportedHash(short)).toMatchObject({ id: "hash_unknown" });
    const hash = withFirebaseScrypt(short, project);
    expect(checkImportedHash(hash)).toBeUndefined();
    expect(await verifyPassword("user1password", hash)).toBe(true);
    expect(await verifyPassword("user2password", hash)).toBe(false);
    expect(withFirebaseScrypt("$2b$05$x", project)).toBe("$2b$05$x");
  });

  it.each([
    ["bcrypt at cost 15", `$2b$15$${"a".repeat(53)}`],
    ["PBKDF2 with four million rounds", `$pbkdf2-sha256$5000000$c2FsdHNhbHQ$${"a".repeat(43)}`],
    ["PBKDF2 with many blocks", `$pbkdf2$900000$c2FsdHNhbHQ$${"a".repeat(171)}`],
    ["SHA-crypt with passlib's rounds", `$6$rounds=656000$salt$${"a".repeat(86)}`],
    ["PHPass with 2^20 digests", `$P$I12345678${"a".repeat(22)}`],
    ["scrypt with sixteen lanes", `$scrypt$ln=16,r=8,p=16$c2FsdHNhbHQ$${"a".repeat(43)}`],
  ])("are rejected if verifying them takes more than a second: %s", (_, hash) => {
    expect(checkImportedHash(hash)).toMatchObject({ id: "hash_slow" });
  });

  it.each([
    ["scrypt of 128 MiB", `$scrypt$ln=17,r=8,p=1$c2FsdHNhbHQ$${"a".repeat(43)}`],
    ["bcrypt at cost 3", `$2b$03$${"a".repeat(53)}`],
    ["a plain password", "correct horse battery staple"],
    ["yescrypt", "$y$j9T$abc$def"],
    ["no rounds", `$pbkdf2$0$c2FsdHNhbHQ$${"a".repeat(43)}`],
    ["a hash of two kilobytes", `$6$salt$${"a".repeat(3_000)}`],
    ["nothing", ""],
  ])("are rejected if the service cannot verify them: %s", (_, hash) => {
    expect(checkImportedHash(hash, true)).toMatchObject({ id: "hash_unknown" });
  });

  it("are compared with the password as it was typed, which other systems hashed without normalizing it", async () => {
    const plain = readForeignHash("{SHA}8FC464hy8z+17hInlS0a86W7gUQ=");
    expect(await plain?.matches(Buffer.from(PASSWORD.normalize("NFD")))).toBe(false);
  });
});
