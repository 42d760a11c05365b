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

\`ListProjects\` lists the projects that an organization owns, or those that are granted to it
(\`projectGrantResourceOwnerFilter\`, \`organizationIdFilter\` of the type \`GRANTED\`), and \`ListApplicationKeys\` the keys of
one app. An organization is added with existing users as its administrators, or with one new user, who gets the usual mail.

## Procedures

Procedures of ZITADEL 4, as \`zitadel-go\` 3.25.0 calls them. *In part*: fields that are ignored in the request, or stay empty in the answer. Some are
not listed, because they are so everywhere: lists have a fixed order (\`sortingColumn\`), and their answers are never behind
(\`processedSequence\`); what is part of another object, such as metadata, keys, providers and grants of projects, has no \`sequence\` of its own in
\`details\`; users have no pictures (\`avatarUrl\`), pages no fonts of their own (\`fontUrl\`), and apps do not speak SAML
(\`samlConfiguration\` and its like). What is *not here* answers \`UNIMPLEMENTED\`.
`;

/** Why procedures are not here, by what they are called; the first that matches. */
const REASONS: readonly (readonly [RegExp, string])[] = [
  [/^zitadel\.system\./, "An instance here is a service of its own; nothing is above it"],
  [/^zitadel\.analytics\./, "Nothing is reported to anybody"],
  [/SAML/i, "There are no SAML apps yet"],
  [/NotificationProvider/, "Messages are sent by email and SMS"],
  [/JWT/, "There are no JWT providers"],
  [/IDP|Provider/, "Version 1 of identity providers; `AddGenericOIDCProvider` and `UpdateGenericOIDCProvider` do this"],
  [/^zitadel\.action\.|Action|Flow/, "There are no actions"],
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

export async function zitadelDocument(): Promise<string> {
  const procedures = await comparedProcedures();
  const services = [...new Set(procedures.map(({ service }) => service))];
  const count = (some: readonly ComparedProcedure[]) => {
    const here = some.filter(({ operation }) => operation !== undefined);
    const whole = here.filter(({ ignored, empty }) => ignored.length + empty.length === 0);
    return `${some.length} procedures: ${whole.length} answered, ${here.length - whole.length} in part, ${some.length - here.length} not here.`;
  };
  const parts = services.flatMap((service) => {
    const some = procedures.filter((one) => one.service === service);
    const rows = some.map((one) => `| \`${one.name}\` | ${stateOf(one)} | ${remarkOn(one)} |`);
    return ["", `### ${service}`, "", count(some), "", "| procedure | | |", "|---|---|---|", ...rows];
  });
  return [HEAD, count(procedures), ...parts, ""].join("\n");
}

function stateOf({ operation, ignored, empty }: ComparedProcedure): string {
  if (operation === undefined) return "not here";
  return ignored.length + empty.length === 0 ? "answered" : "in part";
}

function remarkOn({ service, name, operation, ignored, empty }: ComparedProcedure): string {
  if (operation === undefined) return REASONS.find(([pattern]) => pattern.test(`${service}/${name}`))?.[1] ?? "Not yet";
  const said = [
    ["ignored", ignored],
    ["empty", empty],
  ].flatMap(([what, fields]) =>
    fields?.length ? [`${what}: ${(fields as string[]).map((one) => `\`${one}\``).join(", ")}`] : [],
  );
  return said.join("; ");
}
