// Shows the account of a step, on every step after the name (WCAG 2.2, 3.3.7), with a link to use another one.
import type { LoginTranslator } from "../../messages/login";
import { linkTarget } from "../ui/links";
import { loginNameIn } from "../ui/user-text";

export function Whose(props: { t: LoginTranslator; loginName: string; notYouHref?: string }) {
  const { t, loginName } = props;
  const notYouHref = linkTarget(props.notYouHref);
  return (
    <p className="lead">
      {t.rich("resetPassword.of", loginNameIn(loginName))}{" "}
      {notYouHref && (
        <a id="not-you" href={notYouHref}>
          {t("signIn.notYou")}
        </a>
      )}
    </p>
  );
}
