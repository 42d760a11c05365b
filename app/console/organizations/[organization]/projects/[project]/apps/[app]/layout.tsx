import type { ReactNode } from "react";
import { SecretKeeper } from "../../../../../../../../components/console/apps/kept-secret";

/** Surrounds all views of an app. Next.js replaces a page when its parameters change, but not its layout. */
export default function AppLayout({ children }: { children: ReactNode }) {
  return <SecretKeeper>{children}</SecretKeeper>;
}
