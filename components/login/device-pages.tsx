// The user's side of device authorization (RFC 8628 §3.3): type the code, confirm, done. The question names the
// application, repeats the code and states the origin of the request, because an attacker may have sent the code
// (§5.4).
import type { LoginTranslator } from "../../messages/login";
import type { Disclosure } from "../../server/protocol/consent-required";
import type { ScopeDescriptions } from "../../server/protocol/project-scope";
import { ErrorSummary, Field, HiddenFields, PrimaryButton } from "../ui/form";
import { bdi, Initial, Name, plainName, Who, withCodes } from "../ui/user-text";
import { Disclosures, ForeignApp } from "./continue-page";

export interface DeviceCodeProps {
  action: string;
  /** The code as typed, or from the device's link. */
  userCode?: string;
  error?: "missing-code" | "unknown-code" | "throttled";
  retryAfterMinutes?: number;
}

export function DeviceCodePage({ t, locale, ...props }: DeviceCodeProps & { t: LoginTranslator; locale: string }) {
  const { error, userCode, action } = props;
  const problem = error && codeProblem(t, error, props.retryAfterMinutes ?? 1);
  return (
    <>
      <h1>{t("device.title")}</h1>
      <p>{t("device.introduction")}</p>
      {problem && (
        <ErrorSummary entries={[error === "throttled" ? { text: problem } : { field: "user_code", text: problem }]} />
      )}
      <form method="post" action={action} noValidate>
        <HiddenFields values={{ ui_locales: locale }} />
        <Field
          name="user_code"
          label={t("device.userCode")}
          hint={withCodes(t("device.userCodeHint"))}
          value={userCode}
          error={error === "throttled" ? undefined : problem}
          errorPrefix={t("common.fieldError")}
          type="text"
          autoComplete="one-time-code"
          autoCapitalize="characters"
          spellCheck={false}
          maxLength={64}
          dir="ltr"
          autoFocus={!error}
        />
        <PrimaryButton id="submit">{t("common.continue")}</PrimaryButton>
      </form>
    </>
  );
}

function codeProblem(t: LoginTranslator, error: NonNullable<DeviceCodeProps["error"]>, minutes: number): string {
  switch (error) {
    case "missing-code":
      return t("device.missingCode");
    case "unknown-code":
      return t("device.unknownCode");
    case "throttled":
      return t("device.throttled", { minutes: Math.max(1, minutes) });
  }
}

export interface DeviceConfirmProps {
  flow: string;
  action: string;
  appName: string;
  userCode: string;
  /** The browser and system that requested the code, by its own claim. */
  device?: string;
  /** The IP address from which the code was requested. */
  address?: string;
  displayName: string;
  loginName: string;
  organizationName?: string;
  /** The disclosures, as on the consent page. */
  disclosures: readonly Disclosure[];
  projectScopes: readonly ScopeDescriptions[];
  foreignOrganization?: string;
}

export function DeviceConfirmPage({
  t,
  locale,
  ...props
}: DeviceConfirmProps & { t: LoginTranslator; locale: string }) {
  const { flow, action, appName, userCode, displayName, loginName } = props;
  const names = { app: plainName(appName), name: plainName(displayName) };
  return (
    <>
      <h1>{t("device.question")}</h1>
      <p>{t.rich("device.request", { ...bdi, ...names })}</p>
      <ForeignApp t={t} organization={props.foreignOrganization} />
      <div className="person">
        <Initial of={displayName || loginName} />
        <Who displayName={displayName} loginName={loginName} />
      </div>
      <dl>
        <div>
          <dt>{t("device.shownCode")}</dt>
          <dd>
            <bdi className="code">{userCode}</bdi>
          </dd>
        </div>
        {props.device !== undefined && (
          <div>
            <dt>{t("device.device")}</dt>
            <dd>
              <Name>{props.device}</Name>
            </dd>
          </div>
        )}
        {props.address !== undefined && (
          <div>
            <dt>{t("device.ipAddress")}</dt>
            <dd>
              <bdi dir="ltr">{plainName(props.address)}</bdi>
            </dd>
          </div>
        )}
      </dl>
      <Disclosures t={t} disclosures={props.disclosures} projectScopes={props.projectScopes} />
      <p>{t("device.warning")}</p>
      <form method="post" action={action}>
        <HiddenFields values={{ flow, ui_locales: locale }} />
        {/* With values: an empty one is treated as missing. */}
        <button className="primary" type="submit" id="allow" name="allow" value="yes">
          {t("device.allow")}
        </button>
        <button className="secondary" type="submit" id="deny" name="deny" value="yes">
          {t("device.deny")}
        </button>
      </form>
    </>
  );
}

/** The outcomes, with their texts. */
export const DEVICE_OUTCOMES = {
  allowed: { title: "device.allowed.title", text: "device.allowed.text" },
  denied: { title: "device.denied.title", text: "device.denied.text" },
  "not-admitted": { title: "device.notAdmitted.title", text: "device.notAdmitted.text" },
  "too-late": { title: "device.tooLate.title", text: "device.tooLate.text" },
} as const;
export type DeviceOutcome = keyof typeof DEVICE_OUTCOMES;

export function DeviceDonePage({
  t,
  outcome,
  againHref,
}: {
  t: LoginTranslator;
  outcome: DeviceOutcome;
  againHref: string;
}) {
  return (
    <>
      <h1>{t(DEVICE_OUTCOMES[outcome].title)}</h1>
      <p>{t(DEVICE_OUTCOMES[outcome].text)}</p>
      {outcome !== "allowed" && (
        <p className="aside">
          <a href={againHref}>{t("device.another")}</a>
        </p>
      )}
    </>
  );
}
