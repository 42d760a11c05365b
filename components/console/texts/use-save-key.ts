// Saves with Ctrl+S or ⌘S.
import { useEffect } from "react";

export function useSaveKey(mayWrite: boolean, save: () => Promise<void>): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey || event.key.toLowerCase() !== "s") return;
      event.preventDefault();
      if (mayWrite) void save();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, [mayWrite, save]);
}
