// The results of sign-in attempts by app: comparable bars next to their numbers.
import { useFormatter, useTranslations } from "next-intl";
import { Table } from "../lists/table";
import { useClientName } from "../parts/client-name";
import type { Statistics } from "./statistics";

const HEIGHT = 10;
const WIDTH = 100;

export function AppBars({ apps }: Pick<Statistics, "apps">) {
  const t = useTranslations();
  const format = useFormatter();
  const most = Math.max(1, ...apps.map(({ signedIn, failed }) => signedIn + failed));
  const part = (count: number) => (count / most) * WIDTH;
  return (
    <div className="app-bars">
      <p>
        <strong>{t("operations.byApp")}</strong>
      </p>
      <Table
        caption={t("operations.byApp")}
        rows={apps}
        keyOf={({ clientId }) => clientId}
        columns={[
          {
            id: "app",
            label: t("pages.apps"),
            cell: ({ clientId, name, signedIn, failed }) => (
              <>
                <AppName id={clientId} name={name} />
                <svg
                  className="app-bar"
                  viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
                  preserveAspectRatio="none"
                  aria-hidden="true"
                >
                  <rect className="bar-0" width={part(signedIn)} height={HEIGHT} />
                  <rect className="bar-1" x={part(signedIn)} width={part(failed)} height={HEIGHT} />
                </svg>
              </>
            ),
          },
          { id: "signedIn", label: t("operations.signedInCount"), cell: ({ signedIn }) => format.number(signedIn) },
          { id: "failed", label: t("operations.failedCount"), cell: ({ failed }) => format.number(failed) },
        ]}
        empty={null}
      />
    </div>
  );
}

function AppName({ id, name }: { id: string; name?: string }) {
  const shown = useClientName()({ id, name });
  return shown === undefined ? <code>{id}</code> : <bdi>{shown}</bdi>;
}
