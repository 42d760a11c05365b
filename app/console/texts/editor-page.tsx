// The page of the text editor, at both levels. It reads the initial data in parallel, with the visitor's permissions.
import { notFound } from "next/navigation";
import { parseAddress, textAddress } from "../../../components/console/texts/address";
import { draftOperationsOn } from "../../../components/console/texts/approval/operations";
import { TextsEditor } from "../../../components/console/texts/messages/editor";
import { operationsOn } from "../../../components/console/texts/operations";
import { previewRequest, savedTextOf } from "../../../components/console/texts/text-state";
import type { PageContext } from "../page-of";
import { firstLanguage, mayWriteTexts, ownerAt, type TextsLevel, textLanguages, textsFrame } from "./texts-frame";

/**
 * Renders the editor.
 * @param level whether to edit the texts of the organization in the address or of the instance
 */
export async function editorPage(level: TextsLevel, context: PageContext) {
  const { viewer, organization, params } = context;
  const organizationId = ownerAt(level, context);
  const scope = { organizationId };
  const first = viewer.messageGroups[0]?.types[0];
  // Without a text in the address, the first one in the language of the page.
  const address =
    "type" in params
      ? parseAddress(params.type, params.language)
      : (parseAddress(first, await firstLanguage(level, context)) ?? parseAddress(first, "en"));
  if (!address) notFound();
  const { list, explain, variables: variablesOf, preview: previewOf } = operationsOn(scope);
  const [overview, explanation, variables, drafts] = await Promise.all([
    viewer.call(list),
    viewer.call(explain, { at: address }),
    viewer.call(variablesOf, { at: { type: address.type } }),
    viewer.call(draftOperationsOn(scope).list),
  ]);
  if (!overview.ok || !explanation.ok || !variables.ok || !drafts.ok) notFound();
  if (!overview.body.languages.includes(address.language)) notFound();
  const { own } = savedTextOf(level, explanation.body);
  const body = previewRequest(own, "usual");
  const preview = await viewer.call(previewOf, { at: address, body });
  if (!preview.ok) notFound();
  const { html: _, ...shown } = preview.body;
  return textsFrame(
    "messages",
    level,
    context,
    <TextsEditor
      key={textAddress(scope, address)}
      organizationId={organizationId}
      sender={level === "organization" ? organization.name : new URL(viewer.issuer).hostname}
      userId={viewer.user.userId}
      mayWrite={mayWriteTexts(level, context)}
      ownLanguages={textLanguages(level, context)}
      readsMails={viewer.pages.includes("mail")}
      groups={viewer.messageGroups}
      initial={{
        address,
        overview: overview.body,
        explanation: explanation.body,
        variables: variables.body.variables,
        preview: shown,
        drafts: drafts.body.result,
      }}
    />,
  );
}
