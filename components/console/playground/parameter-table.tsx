// The names and values of a request, a response or a token, each with an explanation.
import { useTranslations } from "next-intl";
import { Table } from "../lists/table";
import { Moment } from "../parts/moment";
import { EXPLAINED_CLAIMS, momentOf } from "./claims";

export interface ParameterTableProps {
  caption: string;
  /** The group of the explanations: `playground.by.<kind>.<name>`. */
  kind: "parameter" | "claim";
  values: Readonly<Record<string, unknown>>;
  /** Whether the heading above already contains the caption. */
  isUnderHeading?: boolean;
}

const EXPLAINED: Readonly<Record<ParameterTableProps["kind"], ReadonlySet<string>>> = {
  claim: new Set(EXPLAINED_CLAIMS),
  parameter: new Set([
    "client_id",
    "redirect_uri",
    "response_type",
    "scope",
    "state",
    "nonce",
    "code_challenge",
    "code_challenge_method",
    "prompt",
    "login_hint",
    "max_age",
    "ui_locales",
    "code",
    "iss",
    "error",
    "error_description",
    "access_token",
    "id_token",
    "refresh_token",
    "token_type",
    "expires_in",
    "grant_type",
    "code_verifier",
  ]),
};

export function ParameterTable({ caption, kind, values, isUnderHeading }: ParameterTableProps) {
  const t = useTranslations();
  return (
    <div className="parameters">
      {!isUnderHeading && <h3>{caption}</h3>}
      <Table
        caption={caption}
        rows={Object.entries(values)}
        keyOf={([name]) => name}
        empty={null}
        columns={[
          { id: "name", label: t("playground.name"), cell: ([name]) => <code>{name}</code> },
          { id: "value", label: t("playground.value"), cell: ([name, value]) => <Value name={name} value={value} /> },
          {
            id: "meaning",
            label: t("playground.meaning"),
            cell: ([name]) =>
              EXPLAINED[kind].has(name) ? t(`playground.by.${kind}.${name}`) : t("playground.ofTheApp"),
          },
        ]}
      />
    </div>
  );
}

function Value({ name, value }: { name: string; value: unknown }) {
  const at = momentOf(name, value);
  const shown = typeof value === "string" ? value : JSON.stringify(value);
  return (
    <>
      <code className={/\s/.test(shown) ? "breaks" : "breaks whole"} dir="ltr">
        {shown}
      </code>
      {at !== undefined && (
        <p className="quiet">
          <Moment at={at} />
        </p>
      )}
    </>
  );
}
