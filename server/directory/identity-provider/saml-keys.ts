/**
 * The keys of this service as SAML service provider. Each provider has its own, sealed in its row: they sign requests,
 * and assertions are encrypted for them. A new key is published for two days before it signs, so that providers that
 * read our metadata know it; the one before is kept for assertions that are still encrypted for it.
 */
import type { Context } from "../../context";
import { type CertifiedKey, newCertifiedKey } from "../../crypto/self-signed-certificate";
import { type Details, type OriginContext, recordIn } from "../../events/record";
import type { ApiError } from "../../protocol/api-error";
import type { SamlService } from "../../protocol/saml/service-provider";
import { readIdentityProvider, updateIdentityProvider } from "../../storage/identity-provider/providers";
import { changeDirectory } from "../change";
import type { ProviderOwner } from "../provider/channel";
import type { ReadProvider } from "./forms";
import { type IdentityProvider, noIdentityProvider } from "./identity-provider";

export interface SamlKey extends CertifiedKey {
  /** Epoch milliseconds from which it signs requests. */
  signsFrom: number;
}

const YEARS = 10;
const PUBLISHED_BEFORE_SIGNING = 48 * 3_600_000;
/** The new one, the one that signs until then, and none before it. */
const MAX_KEYS = 2;

export const samlServiceOf = ({ baseUrl }: Pick<Context["config"], "baseUrl">, id: string): SamlService => {
  const base = `${baseUrl}/idps/${id}/saml`;
  return { entityId: `${base}/metadata`, acsUrl: `${base}/acs`, sloUrl: `${base}/slo` };
};

/** Returns the keys, the newest first. @throws if the key that sealed them is lost */
export function samlKeysOf({ secret }: Pick<IdentityProvider, "secret">): readonly SamlKey[] {
  if (typeof secret !== "string") throw new Error("the key that sealed the keys for SAML is lost");
  return JSON.parse(secret) as SamlKey[];
}

/** Returns the key that signs requests. */
export function signingKeyOf(ctx: Context, provider: Pick<IdentityProvider, "secret">): SamlKey | undefined {
  const keys = samlKeysOf(provider);
  return keys.find(({ signsFrom }) => signsFrom <= ctx.clock()) ?? keys.at(-1);
}

const newKey = async (ctx: Context, signsFrom: number): Promise<SamlKey> => {
  const { hostname } = new URL(ctx.config.baseUrl);
  return { ...(await newCertifiedKey(hostname, ctx.clock(), YEARS)), signsFrom };
};

/** Returns what a form was read as, with a key of ours if the kind needs one. */
export async function withOwnKey(ctx: Context, kind: string, read: ReadProvider): Promise<ReadProvider> {
  return kind === "saml" ? { ...read, secret: JSON.stringify([await newKey(ctx, ctx.clock())]) } : read;
}

/**
 * Makes a new key with its certificate.
 * @param isImmediate whether it signs at once and the older keys are forgotten, because they may have leaked
 */
export async function renewSamlKey(
  ctx: OriginContext,
  owner: ProviderOwner,
  { id, isImmediate }: { id: string; isImmediate: boolean },
): Promise<Details | ApiError> {
  const key = await newKey(ctx, ctx.clock() + (isImmediate ? 0 : PUBLISHED_BEFORE_SIGNING));
  return changeDirectory(ctx, async (ctx) => {
    const row = await readIdentityProvider(ctx.tx, owner.ownerId, id);
    if (row?.kind !== "saml" || row.sealedSecret === null) return noIdentityProvider();
    const secret = ctx.secrets.open("identity-provider", row.sealedSecret);
    const signing = secret === undefined || isImmediate ? undefined : signingKeyOf(ctx, { secret });
    const keys = [key, ...(signing ? [signing] : [])].slice(0, MAX_KEYS);
    const { level, ownerId } = owner;
    return recordIn(ctx, {
      type: `${level}.identity_provider.certificate_renewed`,
      object: { id: ownerId, organizationId: ownerId },
      async state(_, now) {
        const sealedSecret = ctx.secrets.seal("identity-provider", JSON.stringify(keys));
        await updateIdentityProvider(ctx.tx, id, { sealedSecret }, now);
        return { payload: { providerId: id } };
      },
    });
  });
}
