"use client";
// An address with the anchor of an earlier version of the page, such as `#secrets`, leads to the view that has this
// part now.
import { useEffect } from "react";

/** @param places the addresses of other views by these anchors */
export function OldAnchors({ places }: { places: Readonly<Record<string, string>> }) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when the page is opened
  useEffect(() => {
    const place = places[location.hash.slice(1)];
    if (place !== undefined && !new URLSearchParams(location.search).has("view")) location.replace(place);
  }, []);
  return null;
}
