// A user's sign-in attempts, with the reasons of failures.
import { useTranslations } from "next-intl";
import { pageAddress } from "../../../shared/pages";
import type { User } from "../directory/user";
import { TokenPager } from "../lists/token-pager";
import type { AttemptAnswer } from "./attempt";
import { AttemptList } from "./attempt-list";

export interface AttemptsViewProps {
  user: User;
  answer: AttemptAnswer;
  isFirstPage: boolean;
  mayWrite: boolean;
}

export function AttemptsView({ user, answer, isFirstPage, mayWrite }: AttemptsViewProps) {
  const t = useTranslations();
  const path = `${pageAddress("users", user.details.resourceOwner)}/${encodeURIComponent(user.id)}`;
  return (
    <>
      <AttemptList isOfPerson attempts={answer.result} empty={t("attempts.empty")} mayWriteUsers={mayWrite} />
      <TokenPager
        path={path}
        query={{ view: "attempts" }}
        isFirstPage={isFirstPage}
        nextPageToken={answer.nextPageToken}
      />
    </>
  );
}
