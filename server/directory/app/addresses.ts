/** Addresses that an app may not have (RFC 9700 §2.1), by the very rules they are matched by when it uses them. */
import { checkBackChannelUri } from "../../protocol/public-address";
import { checkRedirectUri } from "../../protocol/redirect-uri";
import { oidcClient } from "./client";
import type { OidcSettings } from "./settings";

export interface WrongAddress {
  /** As in `redirectUris[0]`. */
  field: string;
  /** As it follows the address: `must use https`. */
  reason: string;
}

export function findWrongAddresses(settings: OidcSettings): WrongAddress[] {
  const rules = oidcClient(settings);
  const { backChannelLogoutUri: told } = rules;
  const untold = told === undefined ? undefined : checkBackChannelUri(told, rules);
  const wrong = untold === undefined ? [] : [{ field: "backChannelLogoutUri", reason: untold }];
  return wrong.concat(
    (["redirectUris", "postLogoutRedirectUris"] as const).flatMap((list) =>
      (settings[list] ?? []).flatMap((uri, index) => {
        const reason = checkRedirectUri(uri, rules);
        return reason === undefined ? [] : [{ field: `${list}[${index}]`, reason }];
      }),
    ),
  );
}
