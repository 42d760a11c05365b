/** A key set that an app registers: every key is public and strong enough. */

import { asMessage, issue } from "../../protocol/reason";
import { checkJwk } from "../public-key";
import { keySetSchema } from "./settings";

export const publicKeySetSchema = keySetSchema.superRefine(({ keys }, issues) => {
  for (const [index, jwk] of keys.entries()) {
    const problem = checkJwk(jwk);
    if (problem) issues.addIssue({ code: "custom", message: asMessage(problem), path: ["keys", index] });
  }
});

/** A key set without repeated key ids. */
export const distinctKeys = publicKeySetSchema.superRefine(({ keys }, issues) => {
  const kids = keys.map(({ kid }) => kid);
  const again = kids.findIndex((kid, index) => typeof kid === "string" && kids.indexOf(kid) < index);
  if (again < 0) return;
  issues.addIssue({ code: "custom", message: issue("kid_taken"), path: ["keys", again, "kid"] });
});
