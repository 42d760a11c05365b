// The signed-in user as the app sees it: from userinfo, else from the ID token.
import { useTranslations } from "next-intl";
import type { Exchange } from "../apps/sign-in-flow";
import { readJwt } from "./claims";

export interface ProfileClaimsProps {
  /** The parameters of the authorization response. */
  parameters: Readonly<Record<string, string>>;
  exchanges: readonly Exchange[];
}

export function ProfileClaims({ parameters, exchanges }: ProfileClaimsProps) {
  const t = useTranslations();
  const told = exchanges.findLast(({ what, status }) => what === "userinfo" && status < 400)?.answer;
  const inToken = parameters.id_token ? readJwt(parameters.id_token)?.payload : undefined;
  const claims = (told ?? (parameters.access_token ? undefined : inToken)) as Record<string, unknown> | undefined;
  const text = (name: string) => (typeof claims?.[name] === "string" ? String(claims[name]) : undefined);
  const sub = text("sub");
  return (
    <div role="status">
      {sub !== undefined && (
        <section className="card profile" id="profile" aria-labelledby="signed-in-as">
          <h2 id="signed-in-as">{t("playground.signedInAs", { name: text("name") ?? sub })}</h2>
          <p>
            <bdi>{text("email") ?? text("preferred_username") ?? sub}</bdi>
          </p>
        </section>
      )}
    </div>
  );
}
