// A titled part of a form with many settings.
import { type ReactNode, useId } from "react";

/** The settings are in two columns if there is room. */
export function SettingGroup({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <section className="setting-group" aria-labelledby={id}>
      <h3 id={id}>{title}</h3>
      {children}
    </section>
  );
}
