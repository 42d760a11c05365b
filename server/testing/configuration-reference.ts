/** Generates docs/configuration.md from the descriptions in server/config/environment.ts. */
import { SETTING_GROUPS } from "../config/environment";
import type { SettingWords } from "../config/value-parsers";

const HEAD = `# Configuration

<!-- Made from server/config/environment.ts by \`npx vitest run server/rules/docs.test.ts -u\`. -->

Settings are environment variables, or lines of a \`.env\` file in the working directory; the environment takes precedence. An invalid
value or a misspelt name stops the start with one line that says what to write instead (rule CONFIG-1). \`npm run admin -- doctor\`
checks a configuration without starting the service.

- Durations are a whole number and a unit: \`60s\`, \`10m\`, \`1h\`, \`30d\`.
- \`SECRET_KEY_FILE\`, \`DATABASE_URL_FILE\` and \`SMTP_URL_FILE\` name files that contain the value.
- Names that begin with \`OTEL_\` and are not listed are read by OpenTelemetry's libraries.
`;

/** The text of a group before its table. */
const NOTES: Readonly<Record<string, string>> = {
  Mails: "Mail servers and webhooks can also be added [while the service runs](guide/operate.md#mail-servers).",
  Lifetimes:
    "The lifetimes of tokens can also be set per app, and for the service while it runs (`/admin/v1/settings/oidc`); those of codes by `/admin/v1/secretgenerators`. Values that contradict each other stop the start (rule CONFIG-5).",
};

/** Formats a default. A description is Markdown; a single value is code. */
const shownDefault = (value: string | undefined): string => {
  if (value === undefined) return "–";
  return /[ `]/.test(value) ? value : `\`${value}\``;
};

/** Returns the whole document. */
export function configurationReference(): string {
  const groups = Object.entries(SETTING_GROUPS).map(([title, settings]) => {
    const rows = Object.entries(settings).map(([name, schema]) => {
      const { default: value, example, description } = schema.meta() as unknown as SettingWords;
      const shown = `\`${example}\``;
      return `| \`${name}\` | ${shownDefault(value)} | ${shown} | ${description} |`;
    });
    const note = NOTES[title] === undefined ? [] : [NOTES[title], ""];
    return [`## ${title}`, "", ...note, "| name | default | example | meaning |", "|---|---|---|---|", ...rows, ""];
  });
  return [HEAD, ...groups.flat()].join("\n");
}
