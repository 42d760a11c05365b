/** The keys that sign tokens: one rotation, one emergency. */
import type { Memory, Step } from "./step";

export const keySteps: Step[] = [
  {
    operation: "ListWebKeys",
    keep: ({ webKeys }, memory) => Object.assign(memory, { webKeyId: webKeys[0].id }),
  },
  { operation: "RotateWebKey", body: { algorithm: "ES256" } },
  { operation: "DeleteWebKey", parameters: ({ webKeyId = "" }: Memory) => ({ webKeyId }) },
];
