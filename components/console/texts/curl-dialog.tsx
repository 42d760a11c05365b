"use client";
// Shows the request of the page as a curl command.
import { useTranslations } from "next-intl";
import { Dialog } from "../dialogs/dialog";
import { CodeBlock } from "../parts/code-block";
import type { TextAddress, TextScope } from "./address";
import { curlCommand } from "./curl";
import type { Values } from "./text-state";

export interface CurlDialogProps {
  isOpen: boolean;
  scope: TextScope;
  address: TextAddress;
  values: Values;
  sequence: string;
  onClose(): void;
}

export function CurlDialog({ isOpen, onClose, ...call }: CurlDialogProps) {
  const t = useTranslations();
  return (
    <Dialog open={isOpen} onClose={onClose} title={t("texts.curl")} description={t("texts.curlText")}>
      {isOpen && <CodeBlock label="curl" code={curlCommand({ baseUrl: location.origin, ...call })} />}
    </Dialog>
  );
}
