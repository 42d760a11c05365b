// Whether the page's script runs. Controlled inputs are disabled before that, because a choice made then would be lost.
import { useSyncExternalStore } from "react";

const never = () => () => {};

export const useReady = (): boolean =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
