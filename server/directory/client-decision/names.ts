/** Decisions about apps in the terms of the management API and of the bootstrap file. */
import { z } from "zod";
import { strict } from "../fields";

export const DECISION_KINDS = { client: "CLIENT_DECISION_KIND_CLIENT", host: "CLIENT_DECISION_KIND_HOST" } as const;
export const DECISIONS = { allow: "CLIENT_DECISION_ALLOW", forbid: "CLIENT_DECISION_FORBID" } as const;
/** The stored values of these names. */
export const KIND_OF_DECISION = {
  CLIENT_DECISION_KIND_CLIENT: "client",
  CLIENT_DECISION_KIND_HOST: "host",
} as const;
export const DECISION_OF = { CLIENT_DECISION_ALLOW: "allow", CLIENT_DECISION_FORBID: "forbid" } as const;

/** A decision to be made; the use case checks the value. */
export const declaredDecision = strict({
  kind: z.enum(DECISION_KINDS),
  value: z.string().min(1).max(300).meta({
    description: "A client ID; or a host name, `*.` and a domain for all hosts below it, or `*` for all apps of others",
    example: "agent.example.com",
  }),
  decision: z.enum(DECISIONS),
});

export const readDecision = (given: z.output<typeof declaredDecision>) => ({
  kind: KIND_OF_DECISION[given.kind],
  value: given.value,
  decision: DECISION_OF[given.decision],
});
