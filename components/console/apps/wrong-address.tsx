// Shows how a rejected redirect URI differs from the most similar registered one.
import { useTranslations } from "next-intl";
import type { AnswerOf } from "../../../shared/declared";
import { CopyValue } from "../parts/copy-value";

export type WrongRedirectUri = NonNullable<Extract<AnswerOf<"CheckAuthorizeUrl">, { valid: false }>["redirectUri"]>;

export function WrongAddress({ redirectUri }: { redirectUri: WrongRedirectUri }) {
  const t = useTranslations();
  const { difference, notRegistrable, closest } = redirectUri;
  return (
    <>
      {difference && (
        <p dir="ltr">
          {difference.map(({ kind, text }, index) => {
            const key = `${index}-${text}`;
            if (kind === "extra") return <ins key={key}>{text}</ins>;
            return kind === "missing" ? <del key={key}>{text}</del> : <span key={key}>{text}</span>;
          })}
        </p>
      )}
      {notRegistrable && <p>{notRegistrable}</p>}
      {closest !== undefined && (
        <p>
          {t("playground.closest")}: <CopyValue value={closest} label={t("playground.closest")} />
        </p>
      )}
    </>
  );
}
