// A person's own page by name: values in, status, headers and HTML out.
import { AccountPage, type AccountPageProps } from "../../components/login/account-page";
import { type PageFrame, type PageResponse, renderPage } from "./render";

export function accountPage(props: AccountPageProps, frame: PageFrame): PageResponse {
  return renderPage(frame, (t) => ({
    title: t("account.title"),
    organizationName: props.organizationName,
    body: <AccountPage t={t} locale={frame.locale} {...props} />,
  }));
}
