// The first page: what needs attention once the service is set up, the addresses that applications need, and the
// remaining setup steps.
import { useTranslations } from "next-intl";
import { type ConsolePage, pageAddress } from "../../../shared/pages";
import { CopyValue } from "../parts/copy-value";
import { AttentionToday } from "./attention";
import { Charts } from "./charts";
import type { Statistics } from "./statistics";

export interface OverviewProps {
  issuer: string;
  discoveryUrl: string;
  sendsMail: boolean;
  appCount: number | undefined;
  mayCreateApp: boolean;
  organizationId: string;
  pages: readonly ConsolePage[];
  /** Whether the statistics are those of the whole service. */
  isOfService: boolean;
  /** Undefined if the visitor may not see the statistics. */
  statistics: Statistics | undefined;
}

export function OverviewPage(props: OverviewProps) {
  const { issuer, discoveryUrl, sendsMail, appCount, mayCreateApp, organizationId, pages, statistics } = props;
  const t = useTranslations();
  const hasSteps = (appCount !== undefined || pages.includes("mail")) && !(sendsMail && appCount);
  return (
    <>
      <h1>{t("pages.overview")}</h1>
      <p className="lead">{t(hasSteps ? "overview.lead" : "overview.leadToday")}</p>
      {statistics && !hasSteps && <AttentionToday {...props} statistics={statistics} />}
      <section aria-labelledby="connect" className="card">
        <h2 id="connect">{t("overview.connect")}</h2>
        <dl>
          <div>
            <dt>{t("overview.issuer")}</dt>
            <dd>
              <CopyValue value={issuer} label={t("overview.issuer")} />
            </dd>
          </div>
          <div>
            <dt>{t("overview.discovery")}</dt>
            <dd>
              <CopyValue value={discoveryUrl} label={t("overview.discovery")} />
            </dd>
          </div>
          <div>
            <dt>{t("overview.api")}</dt>
            <dd>
              <a href="/docs/api">
                <code>/docs/api</code>
              </a>
            </dd>
          </div>
        </dl>
      </section>
      {hasSteps && (
        <section aria-labelledby="steps" className="card">
          <h2 id="steps">{t("overview.steps")}</h2>
          <ul className="steps">
            {appCount !== undefined && (
              <Step isDone={appCount > 0} title={t("overview.apps", { count: appCount })}>
                {appCount === 0 && <p>{t("overview.appsHint")}</p>}
                {pages.includes("apps") && mayCreateApp && (
                  <p>
                    <a href={`${pageAddress("apps", organizationId)}/new`}>{t("overview.addApp")}</a>
                  </p>
                )}
              </Step>
            )}
            {pages.includes("mail") && (
              <Step isDone={sendsMail} title={sendsMail ? t("overview.mailSent") : t("overview.mailKept")}>
                {!sendsMail && <p>{t("overview.mailHint")}</p>}
                {!sendsMail && pages.includes("instance_mail") && (
                  <p>
                    <a href={pageAddress("instance_mail", organizationId)}>{t("overview.addProvider")}</a>
                  </p>
                )}
                <p>
                  <a href={pageAddress("mail", organizationId)}>{t("overview.readMail")}</a>
                </p>
              </Step>
            )}
          </ul>
        </section>
      )}
      {statistics && <Charts {...statistics} />}
    </>
  );
}

function Step({ isDone, title, children }: { isDone: boolean; title: string; children: React.ReactNode }) {
  const t = useTranslations();
  return (
    <li>
      <span className={isDone ? "state good" : "state"}>{isDone ? t("overview.done") : t("overview.open")}</span>
      <div>
        <h3>{title}</h3>
        {children}
      </div>
    </li>
  );
}
