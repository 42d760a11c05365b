// The curl command for an action of the page, complete except for the token.
import { addressOf } from "../../../shared/declared";
import type { TextAddress, TextScope } from "./address";
import { operationsOn } from "./operations";
import { filledValues, type Values } from "./text-state";

/** Quotes a text for a POSIX shell: in single quotes, only the quote itself is special. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

export interface SetCall {
  baseUrl: string;
  scope: TextScope;
  address: TextAddress;
  values: Values;
  sequence: string;
}

/** Returns the command; if no field is set, it resets the text. */
export function curlCommand({ baseUrl, scope, address, values, sequence }: SetCall): string {
  const body = filledValues(values);
  const isReset = Object.keys(body).length === 0;
  const { set, reset } = operationsOn(scope);
  const operation = isReset ? reset : set;
  const lines = [
    `curl -X ${operation.method} ${quoted(baseUrl + addressOf(operation, { ...address }))}`,
    `-H "Authorization: Bearer $TOKEN"`,
    ...(scope.organizationId === undefined ? [] : [`-H ${quoted(`x-service-orgid: ${scope.organizationId}`)}`]),
    `-H ${quoted(`If-Match: "${sequence}"`)}`,
    ...(isReset
      ? []
      : [`-H ${quoted("Content-Type: application/json")}`, `--data-binary ${quoted(JSON.stringify(body, null, 2))}`]),
  ];
  return lines.join(" \\\n  ");
}
