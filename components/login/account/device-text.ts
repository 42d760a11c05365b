// The device of a session, in words that its owner recognizes.
import type { LoginTranslator } from "../../../messages/login";

/**
 * Returns a text such as "Chrome on Linux".
 * @param device a browser, a system, or both as "Chrome · Linux" (server/protocol/device-name.ts); undefined if neither
 *   is known
 */
export function deviceText(t: LoginTranslator, device: string | undefined): string {
  if (device === undefined) return t("account.unknownDevice");
  const [browser = "", system] = device.split(" · ");
  return system === undefined ? browser : t("account.deviceOn", { browser, system });
}
