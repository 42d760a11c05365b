/** The forms of the API with which a kind of provider is added or changed. */
import type { z } from "zod";
import type { Context } from "../../context";
import { type ApiError, isApiError } from "../../protocol/api-error";
import { inputIssues, wordIssue } from "../../protocol/input-issues";
import { reason } from "../../protocol/reason";
import { type AddressOf, ofKind, type ProviderAddress, type ProviderKind } from "./address";
import type { ProviderChannel } from "./channel";

/** The settings that a form sets; undefined ones keep their stored values. */
export interface FormSettings<Address = ProviderAddress> {
  address: Address;
  sender?: string;
  description?: string;
  replyTo?: string | null;
  /** A new signing key, which is shown only this time. */
  signingKey?: string;
}

/**
 * Returns the settings to store.
 * @param saved the stored address, whose secrets can be kept; undefined for a new provider, and if the key that sealed
 * it is lost
 */
type Resolve<Address> = (saved: Address | undefined) => FormSettings<Address> | ApiError;

export interface ProviderForm {
  kind: ProviderKind;
  schema: z.ZodType;
  /** Checks what does not depend on the stored provider. */
  read(ctx: Context, channel: ProviderChannel, given: unknown): Resolve<ProviderAddress> | ApiError;
}

export function providerForm<Kind extends ProviderKind, Schema extends z.ZodType>(
  kind: Kind,
  schema: Schema,
  read: (ctx: Context, given: z.output<Schema>, channel: ProviderChannel) => Resolve<AddressOf<Kind>> | ApiError,
): ProviderForm {
  return {
    kind,
    schema,
    read(ctx, channel, given) {
      const settings = readSettings(channel, schema, given);
      if (isApiError(settings)) return settings;
      const resolve = read(ctx, settings, channel);
      return isApiError(resolve) ? resolve : (saved) => resolve(ofKind(kind, saved)) as FormSettings | ApiError;
    },
  };
}

/** Parses settings; an error names the first wrong field. */
export function readSettings<Schema extends z.ZodType>(
  channel: ProviderChannel,
  schema: Schema,
  given: unknown,
): z.output<Schema> | ApiError {
  const parsed = schema.safeParse(given, { error: wordIssue });
  if (parsed.success) return parsed.data;
  const [issue] = inputIssues(parsed.error);
  return channel.wrong(issue?.path || undefined, issue?.reason ?? reason("not_valid"));
}
