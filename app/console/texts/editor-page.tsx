// The page of the text editor, at both levels: what it shows first is read here, in parallel, with the visitor's
// permissions.
import { notFound } from "next/navigation";
import { getLocale, getTranslations } from "next-intl/server";
import { parseAddress, textAddress } from "../../../components/console/texts/address";
import { TextsEditor } from "../../../components/console/texts/editor";
import { operationsOn } from "../../../components/console/texts/operations";
import { previewRequest, savedTextOf } from "../../../components/console/texts/text-state";
import { Name } from "../../../components/ui/user-text";
import type { PageContext } from "../page-of";

/** @param level whether to edit the texts of the organization in the address or of the instance */
export async function editorPage(level: "organization" | "instance", { viewer, organization, params }: PageContext) {
  const organizationId = level === "organization" ? organization.id : undefined;
  const place = { organizationId };
  const first = viewer.messageGroups[0]?.types[0];
  // Without a text in the address, the first one in the language of the page.
  const address =
    "type" in params
      ? parseAddress(params.type, params.language)
      : (parseAddress(first, await getLocale()) ?? parseAddress(first, "en"));
  if (!address) notFound();
  const { list, explain, variables: variablesOf, preview: previewOf } = operationsOn(place);
  const [t, overview, explanation, variables] = await Promise.all([
    getTranslations(),
    viewer.call(list),
    viewer.call(explain, { at: address }),
    viewer.call(variablesOf, { at: { type: address.type } }),
  ]);
  if (!overview.ok || !explanation.ok || !variables.ok) notFound();
  const { own } = savedTextOf(level, explanation.body);
  const body = previewRequest(own, "usual");
  const preview = await viewer.call(previewOf, { at: address, body });
  if (!preview.ok) notFound();
  const mayWrite =
    level === "organization"
      ? organization.permissions.has("policy.write")
      : viewer.permissions.has("iam.policy.write");
  return (
    <>
      <div className="texts-head">
        <h1>{t("texts.title")}</h1>
        <p className="lead">
          {level === "organization" ? (
            <>
              <Name>{organization.name}</Name> · {t("texts.lead.organization")}
            </>
          ) : (
            t("texts.lead.instance")
          )}
        </p>
      </div>
      <TextsEditor
        key={textAddress(place, address)}
        organizationId={organizationId}
        sender={level === "organization" ? organization.name : new URL(viewer.issuer).hostname}
        userId={viewer.user.userId}
        mayWrite={mayWrite}
        groups={viewer.messageGroups}
        initial={{
          address,
          overview: overview.body,
          explanation: explanation.body,
          variables: variables.body.variables,
          preview: preview.body,
        }}
      />
    </>
  );
}
