/** Tests the settings of an LDAP directory before they are saved. */
import { z } from "zod";
import { identityProviderForms } from "../../directory/identity-provider/forms";
import { tryDirectory } from "../../login/providers/try-directory";
import { type Operation, operation } from "../operation/operation";
import { idAt, ofOneOrganization, ofService, type ProviderLevel, unchecked } from "../providers/provider-operations";

const request = identityProviderForms.ldap.extend({
  id: z.string().max(200).optional(),
  loginName: z.string().max(320).optional(),
});

const testOf = (at: ProviderLevel): Operation =>
  operation(idAt(at, ["TestInstanceLDAPProvider", "TestLDAPProvider"]), `POST ${at.path}/idps/ldap/_test`, {
    effort: "call",
    tag: at.level === "instance" ? "LDAP directories of the service" : "LDAP directories",
    summary: `Try the settings of an LDAP directory of ${at.of}, without saving them`,
    description:
      "Signs in to the directory as `bindDn`. With `loginName`, it also reads the entry of that user and shows what " +
      "a sign-in would take from it; no user's password is checked. With the `id` of a directory its saved password " +
      "is used, for the same servers. A failure names the step: `connect`, `service_bind`, `search` or `entry`.",
    scope: at.scope("write"),
    body: unchecked(request),
    answer: z.object({
      user: z
        .object({
          dn: z.string(),
          externalId: z.string(),
          userName: z.string(),
          email: z.string().optional(),
          isEmailVerified: z.boolean(),
          givenName: z.string().optional(),
          familyName: z.string().optional(),
          language: z.string().optional(),
          groups: z.array(z.string()),
        })
        .optional()
        .meta({ description: "What a sign-in would take from the entry; left out without `loginName`" }),
    }),
    async handle(ctx, call) {
      // The body is unchecked, so there may be none.
      const { id, loginName, ...given } = (call.body ?? {}) as { id?: unknown; loginName?: unknown };
      return tryDirectory(ctx, await at.owner(ctx, call), ctx.origin.actor, {
        given,
        id: typeof id === "string" && id !== "" ? id : undefined,
        loginName: typeof loginName === "string" ? loginName : undefined,
      });
    },
  });

export const directoryTestOperations: readonly Operation[] = [testOf(ofService), testOf(ofOneOrganization)];
