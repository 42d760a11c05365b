"use client";
// The list of texts that would be lost by leaving.
import { useLanguageNames } from "../parts/known-languages";
import { parseAddress } from "./address";
import { useTextLabels } from "./text-labels";

export function UnsavedTexts({ keys }: { keys: readonly string[] }) {
  const words = useTextLabels();
  const { endonymOf } = useLanguageNames();
  return (
    <ul className="plan">
      {keys.map((key) => {
        const address = parseAddress(...(key.split("/") as [string, string]));
        return (
          address && (
            <li key={key}>
              <span>
                {words.message(address.type)} · <bdi lang={address.language}>{endonymOf(address.language)}</bdi>
              </span>
            </li>
          )
        );
      })}
    </ul>
  );
}
