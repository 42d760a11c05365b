/** Generates docs/zitadel.md: what ZITADEL's clients find here, and every procedure of its proto files. */
import { type ComparedProcedure, comparedProcedures } from "./zitadel-procedures";

const HEAD = `# ZITADEL's clients

<!-- Made from server/testing/zitadel-document.ts by \`npx vitest run server/api/zitadel/document.test.ts -u\`. -->

Clients that were written for ZITADEL 4 work here: its SDKs, its Terraform provider, scripts. They are served when
\`COMPATIBILITY=zitadel\` is set, or while the instance has the feature \`zitadelCompatibility\`
(\`PUT /v2/features/instance\`), which overrides the variable. Both are off by default, and everything below is then unknown.

- **REST** needs no switch: paths, names and JSON of the [management APIs](guide/operate.md#management-apis) are those of ZITADEL.
  Addresses in ZITADEL's proto files that \`/docs/api\` does not list, such as \`/v2/organizations\` and those of the beta
  (\`/v2beta/…\`), answer as their procedures do.
- **gRPC, gRPC-Web and Connect** answer under \`/zitadel.<package>.<version>.<Service>/<Method>\`. A procedure is the operation that
  REST has at the address in ZITADEL's proto files, with the same permissions, checks, limits and events.
- **Our own services** have the same procedures without the switch, under \`/service.<package>.<version>.<Service>/<Method>\`,
  except those that are *not here*. \`buf generate https://<host>/proto/service.binpb\` makes a client, with the plugin of a
  language (for TypeScript \`protoc-gen-es\`); server reflection describes them, too.
- **Scopes, claims and token types** \`urn:zitadel:…\` mean what \`urn:service:…\` means. Claims have the names that the scopes were asked
  in. \`urn:zitadel:iam:org:project:id:zitadel:aud\` asks for the management APIs, for the same clients as
  \`urn:service:iam:org:project:id:service:aud\`.
- **Headers**: \`x-zitadel-orgid\` names the organization, as \`x-service-orgid\` does.
- **Key files** of machines and apps have ZITADEL's format.

In updates of version 1 an absent field has its zero value, as ZITADEL documents it; in others it is left as it is. Fields that are
sent and not known, or stored without an effect (\`skipNativeAppSuccessPage\` of apps: there is no such page;
\`passwordlessType\`, \`ignoreUnknownUsernames\`, \`allowDomainDiscovery\` and
\`disableLoginWithPhone\` of login policies: passkeys are always accepted, no page reveals whether an account exists, the organization is
that of the app or of the scopes, and phone numbers find no user) are named in the header \`x-service-ignored\`. Errors have ZITADEL's status codes, and this service's details
(\`service.v1.ErrorDetail\`).

Lists show one organization: the one that a filter names, else the one that owns the first object that a filter names by its ID, else
that of the header or of the caller. \`ListUsers\` and \`ListAdministrators\` show without one everything that the caller may list.
\`ListProjects\` lists the projects that an organization owns, or those that are granted to it
(\`projectGrantResourceOwnerFilter\`, \`organizationIdFilter\` of the type \`GRANTED\`), and \`ListApplicationKeys\` the keys of
one app. An organization is added with existing users as its administrators, or with one new user, who gets the usual mail.

What is different here is refused by name: \`loginV2\` of the instance's features, because apps choose their login (\`loginVersion\`);
framing of the pages (\`SetSecuritySettings\`); other columns than the time, the user name and the display name to sort users by; a
\`urlTemplate\` that leads to a domain which the organization has not proven. A passkey or security key is listed under the ID of its
credential, not under that of its registration. Users read themselves by \`AuthService\`; other services ask everyone for a role.
\`SetHostedLoginTranslation\` takes the texts of the pages here, by the names that \`GetHostedLoginTranslation\` answers.

There are no **actions**: no request, event or token calls a program of yours. A slow one would hold up every sign-in, and a
hostile one could add claims that apps trust. Instead, programs read events by \`ListEvents\` (\`from\`, \`aggregateTypes\`), get mails and text
messages by webhook (\`AddEmailProviderHTTP\`, \`AddSMSProviderHTTP\`), and answer for passwords that are still in another system
([password hook](guide/moving-in.md#passwords-without-hashes)). Tokens have roles and metadata by scope, and what an identity provider says
becomes names and roles by its [mapping](guide/identity-providers.md#map-claims-to-names-and-roles).

## Run by hand

On Debian 12 against the built service on SQLite, on 2026-11-30, with the clients as they are published:

| client | what it called | what came of it |
|---|---|---|
| zitadel_client 4.1.9 (Python) | all of its 322 methods, with valid arguments, by client credentials, key file and token | as below: 269 answered or in part, 12 refused, 41 not here; of the 269, two ask for a DNS record that the test domain lacks |
| @zitadel/client 1.3.1 (Connect) | 814 methods of all 27 services of @zitadel/proto, with an empty message | none fails inside the service, and only what is not here is \`UNIMPLEMENTED\` |
| @zitadel/node 3.0.28 (gRPC) | 13 methods of the services of version 1 | all answered |
| @grpc/grpc-js 1.14.7 with a key file | what Terraform's \`zitadel_*_message_text\` calls: ten types, two languages, both levels | applied twice without a difference and without a second event, then reset |

## Procedures

Procedures of ZITADEL 4, as \`zitadel-go\` 3.25.0 calls them. *In part*: fields that are ignored in the request, or stay empty in the answer. Some are
not listed, because they are so everywhere: lists have a fixed order (\`sortingColumn\`), and their answers are never behind
(\`processedSequence\`); what is part of another object, such as metadata, keys, providers and grants of projects, has no \`sequence\` of its own in
\`details\`; users have no pictures (\`avatarUrl\`), pages no fonts of their own (\`fontUrl\`), and apps do not speak SAML
(\`samlConfiguration\` and its like). What is *not here* answers \`UNIMPLEMENTED\`.
What is *refused* answers \`FAILED_PRECONDITION\`, or \`PERMISSION_DENIED\` at system level.
`;

/** Why procedures are not here, by what they are called; the first that matches. */
const REASONS: readonly (readonly [RegExp, string])[] = [
  [/^zitadel\.system\./, "An instance here is a service of its own; nothing is above it"],
  [/^zitadel\.analytics\./, "Nothing is reported to anybody"],
  [/SAML/i, "There are no SAML apps yet"],
  [/NotificationProvider/, "Messages are sent by email and SMS"],
  [/JWT/, "There are no JWT providers"],
  [/IDP|Provider/, "Version 1 of identity providers; `AddGenericOIDCProvider` and `UpdateGenericOIDCProvider` do this"],
  [/^zitadel\.action\.|Action|Flow/, "There are no actions; above is what to use instead"],
  [/Healthz/, "`grpc.health.v1.Health` answers this"],
  [/View|FailedEvent|Milestone/, "There are no projections that could be behind or fail"],
  [/OrgIAMPolicy|DomainPolicy/, "User names are completed with the domain of the organization, always"],
  [/Font/, "Pages use fonts that load nothing from elsewhere"],
  [/Avatar/, "Users have no pictures here"],
  [/MultiFactor/, "Passkeys are always accepted"],
  [/ImportData|ExportData/, "The bootstrap file: `/admin/v1/_export` and `/admin/v1/_apply`"],
  [
    /InstanceDomain|TrustedDomain|CustomDomain|UpdateInstance/,
    "The service has one address, `BASE_URL`, which is its name too",
  ],
  [/DeleteInstance/, "The instance is the service itself"],
];

/** Features are set on the instance, and organizations, users and the system level inherit them or have none. */
const ALWAYS_REFUSED = /(?:Set|Reset)(?:System|Organization|User)Features$/;

export async function zitadelDocument(): Promise<string> {
  const procedures = await comparedProcedures();
  const services = [...new Set(procedures.map(({ service }) => service))];
  const counted = (some: readonly ComparedProcedure[]) => {
    const count = (state: State) => some.filter((one) => stateOf(one) === state).length;
    const refused = count("refused") === 0 ? "" : `${count("refused")} refused, `;
    return `${some.length} procedures: ${count("answered")} answered, ${count("in part")} in part, ${refused}${count("not here")} not here.`;
  };
  const parts = services.flatMap((service) => {
    const some = procedures.filter((one) => one.service === service);
    const rows = some.map((one) => `| \`${one.name}\` | ${stateOf(one)} | ${remarkOn(one)} |`);
    return ["", `### ${service}`, "", counted(some), "", "| procedure | | |", "|---|---|---|", ...rows];
  });
  return [HEAD, counted(procedures), ...parts, ""].join("\n");
}

type State = "answered" | "in part" | "refused" | "not here";

function stateOf({ name, operation, ignored, empty }: ComparedProcedure): State {
  if (operation === undefined) return "not here";
  if (ALWAYS_REFUSED.test(name)) return "refused";
  return ignored.length + empty.length === 0 ? "answered" : "in part";
}

function remarkOn({ service, name, operation, ignored, empty }: ComparedProcedure): string {
  if (operation === undefined) return REASONS.find(([pattern]) => pattern.test(`${service}/${name}`))?.[1] ?? "Not yet";
  if (ALWAYS_REFUSED.test(name)) return "Features are set on the instance";
  const said = [
    ["ignored", ignored],
    ["empty", empty],
  ].flatMap(([what, fields]) =>
    fields?.length ? [`${what}: ${(fields as string[]).map((one) => `\`${one}\``).join(", ")}`] : [],
  );
  return said.join("; ");
}
