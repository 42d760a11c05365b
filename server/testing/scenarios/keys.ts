/** The keys that sign tokens: one rotation, one emergency. */
import type { Memory, Step } from "./step";

export const keySteps: Step[] = [
  {
    operation: "ListWebKeys",
    keep: ({ webKeys }, memory) => Object.assign(memory, { webKeyId: webKeys[0].id }),
  },
  {
    operation: "CreateWebKey",
    body: { ecdsa: { curve: "ECDSA_CURVE_P256" } },
    keep: ({ id }, memory) => Object.assign(memory, { createdKeyId: id }),
  },
  { operation: "ActivateWebKey", parameters: ({ createdKeyId = "" }: Memory) => ({ webKeyId: createdKeyId }) },
  { operation: "RotateWebKey", body: { algorithm: "EdDSA" } },
  { operation: "DeleteWebKey", parameters: ({ webKeyId = "" }: Memory) => ({ webKeyId }) },
];
