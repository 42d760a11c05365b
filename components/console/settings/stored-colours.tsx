"use client";
// Reads the colours of a picture that is already saved.
import { useTranslations } from "next-intl";
import { useToast } from "../calls/toasts";
import { Button } from "../parts/button";
import { readChosenPicture } from "./read-logo";

export interface StoredColoursProps {
  url: string;
  onRead(colours: readonly string[]): void;
}

export function StoredColours({ url, onRead }: StoredColoursProps) {
  const t = useTranslations();
  const say = useToast();
  const read = async () => {
    const answer = await fetch(url).catch(() => undefined);
    const picture = answer?.ok ? await readChosenPicture(await answer.blob()) : undefined;
    if (picture) onRead(picture.colours);
    else say(t("frame.failed"));
  };
  return (
    <div className="buttons">
      <Button id="colours-from-logo" label={t("settings.readLogo")} onClick={read} />
    </div>
  );
}
