// The form for a passkey. It is hidden until its script finds that the browser supports passkeys, so that no button is
// shown that does nothing. The credential is sent in a field of the form; nothing is fetched.
import type { LoginTranslator } from "../../messages/login";
import { HiddenFields } from "../ui/form";
import { plainName } from "../ui/user-text";

export interface PasskeyFormProps {
  action: string;
  /** The fields sent back with the credential. */
  fields: Readonly<Record<string, string | undefined>>;
  /** The options for the browser in JSON; the browser shows the names in them. */
  options: string;
}

interface Kind {
  kind: "get" | "create";
  /** Whether to offer passkeys in the autofill suggestions of the login name, too. */
  autofill?: boolean;
  id: string;
  className: "primary" | "secondary";
  label: string;
}

export function PasskeyForm({ t, action, fields, options, ...of }: PasskeyFormProps & Kind & { t: LoginTranslator }) {
  return (
    <>
      <form
        method="post"
        action={action}
        data-passkey={of.kind}
        data-options={plainName(options)}
        data-autofill={of.autofill ? "true" : undefined}
        hidden
        data-scripted=""
      >
        <HiddenFields values={{ ...fields, credential: "" }} />
        <button className={of.className} type="submit" id={of.id}>
          {of.label}
        </button>
      </form>
      <p className="note" id="passkey-note" role="status" hidden>
        {t("passkey.nothing")}
      </p>
    </>
  );
}
