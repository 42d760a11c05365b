/**
 * Proves control of a domain: by a TXT record, or by a file on its web server, which only its owner can place there.
 * The token is random and belongs to one organization, so that no other organization can use the proof.
 */
import type { Context } from "../../context";
import { randomSecret } from "../../crypto/random";
import { type Details, type OriginContext, recordIn } from "../../events/record";
import { guardedText } from "../../net/guarded-fetch";
import { systemResolver } from "../../net/name-resolver";
import { type ApiError, failedPrecondition, notFound } from "../../protocol/api-error";
import { findDomain } from "../../storage/organization/list";
import { readOrganization, updateDomain } from "../../storage/organization/organization";
import { changeDirectory } from "../change";

export type ChallengeType = "dns" | "http";

/** Returns where the token must be: the name of a TXT record, or the URL of a file. */
export function locationOfProof(domain: string, type: ChallengeType, token: string): string {
  return type === "dns" ? `_service-challenge.${domain}` : `https://${domain}/.well-known/service-challenge/${token}`;
}

/** Makes a new token, which replaces the previous one, and returns where it is expected. */
export async function createChallenge(
  ctx: OriginContext,
  { organizationId, domain, type }: { organizationId: string; domain: string; type: ChallengeType },
): Promise<{ token: string; url: string; details: Details } | ApiError> {
  const token = randomSecret();
  return changeDirectory(ctx, async (ctx) => {
    const stored = (await readOrganization(ctx.tx, organizationId))?.domains.find((row) => row.domain === domain);
    if (!stored) return noSuchDomain();
    if (stored.isVerified) return alreadyVerified();
    const details = await recordIn(ctx, {
      type: "organization.domain.challenge_created",
      object: { id: organizationId, organizationId },
      async state() {
        await updateDomain(ctx.tx, organizationId, domain, { challengeType: type, challengeToken: token });
        return { payload: { domain, challengeType: type } };
      },
    });
    return { token, url: locationOfProof(domain, type, token), details };
  });
}

/** Returns undefined if the proof is in place, otherwise the problem. */
export async function checkProof(ctx: Context, organizationId: string, domain: string): Promise<ApiError | undefined> {
  const stored = await findDomain(ctx.db, organizationId, domain);
  if (!stored) return noSuchDomain();
  if (stored.isVerified) return alreadyVerified();
  const { challengeType: type, challengeToken: token } = stored;
  if (type === null || token === null) {
    return failedPrecondition("domain.no_challenge", "Ask for a token first (…/validation/_generate).");
  }
  const problem = await findProblem(ctx, { domain, type, token });
  return problem === undefined ? undefined : failedPrecondition("domain.not_proven", problem);
}

type Challenge = { domain: string; type: ChallengeType; token: string };

async function findProblem(ctx: Context, { domain, type, token }: Challenge): Promise<string | undefined> {
  const { resolver = systemResolver } = ctx;
  const location = locationOfProof(domain, type, token);
  if (type === "http") {
    const rules = { devMode: false, onLoopback: false };
    const file = await guardedText(location, "text/plain", { ...rules, resolve: resolver.addresses });
    if ("error" in file) return `The file ${location} cannot be read: ${file.error}.`;
    return file.text.trim() === token ? undefined : `The file ${location} does not hold the token.`;
  }
  try {
    const texts = await resolver.texts(location);
    if (texts.some((text) => text.trim() === token)) return undefined;
    return texts.length === 0
      ? `There is no TXT record ${location} yet. A new one may take a while to be seen.`
      : `No TXT record ${location} holds the token.`;
  } catch (error) {
    return `The TXT record ${location} cannot be read (${(error as NodeJS.ErrnoException).code ?? "no answer"}).`;
  }
}

export const noSuchDomain = () => notFound("domain.not_found", "The organization has no such domain.");
const alreadyVerified = () => failedPrecondition("domain.already_verified", "The domain is verified already.");
