// The preview of a message with the edited text.
import { addressOf } from "../../../../shared/declared";
import type { TextAddress, TextScope } from "../address";
import { ask } from "../ask";
import { operationsOn } from "../operations";
import { type MessagePreview, previewRequest, type SamplePerson, type Values } from "../text-state";
import type { PreviewState, WantedPreview } from "../use-rendered-preview";

export type MessagePreviewState = PreviewState<MessagePreview>;

export function messagePreview(
  scope: TextScope,
  address: TextAddress,
  values: Values,
  sample: SamplePerson,
): WantedPreview<MessagePreview> {
  const { preview } = operationsOn(scope);
  const path = addressOf(preview, address);
  const body = previewRequest(values, sample);
  const send = (signal: AbortSignal) => ask(preview, { at: address, body, signal });
  return { of: path, path, body: JSON.stringify(body), values: body.fields, send };
}
