"use client";
// Lets the parts of a page reload its data.
import { useRouter } from "next/navigation";
import type { ReactNode } from "react";
import { Refresh } from "../../components/console/refresh";

export function Refreshing({ children }: { children: ReactNode }) {
  const router = useRouter();
  return <Refresh value={() => router.refresh()}>{children}</Refresh>;
}
