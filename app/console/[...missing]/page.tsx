// The console's own "not found" page for unknown addresses below /console. The default page of Next.js would be
// unstyled, because the console's Content-Security-Policy blocks its styles.
import { notFound } from "next/navigation";

export default function Page(): never {
  notFound();
}
