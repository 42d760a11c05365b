// Addresses below /console that no page has: the console's own "not found", instead of the service's page without its
// style, which the console's Content-Security-Policy does not let in.
import { notFound } from "next/navigation";

export default function Page(): never {
  notFound();
}
