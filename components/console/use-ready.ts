// Whether the page's script runs. What it keeps the state of cannot be changed before: a choice made then would be lost.
import { useSyncExternalStore } from "react";

const never = () => () => {};

export const useReady = (): boolean =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
