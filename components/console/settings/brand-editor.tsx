"use client";
// Edits the colours and pictures of a brand, with a live preview of the real pages and mails. Nothing is stored until
// the draft is saved, and no one else sees the draft until it is published.
import { useTranslations } from "next-intl";
import { useEffect, useRef, useState } from "react";
import { useOperation } from "../calls/operation";
import { Problems } from "../calls/problems";
import { useRefresh } from "../calls/refresh";
import { useToast } from "../calls/toasts";
import { useUndo } from "../calls/undo";
import { useAlone } from "../calls/use-alone";
import { LeaveDialog } from "../forms/leave-dialog";
import { ReadyFieldset } from "../forms/ready-fieldset";
import { SaveButtons } from "../forms/save-buttons";
import { useLeaveGuard } from "../forms/use-leave-guard";
import type { Level } from "../parts/level";
import {
  BRAND_OPERATIONS,
  BRAND_PICTURES,
  BRAND_SCHEMES,
  type Contrast,
  type LabelPolicy,
  type Looks,
  looksOf,
  type PictureSlug,
} from "./brand";
import { BrandChanges } from "./brand-changes";
import { BrandColours, BrandOptions, Suggestions } from "./brand-colours";
import { backToDraft, type DraftPictures, type Earlier, earlierPicture, savePictures } from "./brand-drafts";
import { BrandPicture } from "./brand-picture";
import { BrandPreview } from "./brand-preview";
import type { ChosenPicture } from "./read-logo";
import { StoredColours } from "./stored-colours";

export interface BrandEditorProps {
  brand: LabelPolicy;
  level: Level;
  /** Whether the level has a branding of its own. */
  isOwn: boolean;
  /** The branding of the level above; undefined if none exists. */
  inherited: LabelPolicy | undefined;
  /** The contrasts of the saved brand. */
  contrasts: readonly Contrast[];
  mayWrite: boolean;
}

export function BrandEditor({ brand, level, isOwn, inherited, contrasts, mayWrite }: BrandEditorProps) {
  const t = useTranslations();
  const read = JSON.stringify(looksOf(brand));
  const [saved, setSaved] = useState(read);
  const [looks, setLooks] = useState(() => looksOf(brand));
  const [pictures, setPictures] = useState<DraftPictures>({});
  const [earlier, setEarlier] = useState<Earlier>({});
  /** The pending reads of the pictures that are replaced. */
  const reading = useRef(new Map<PictureSlug, ReturnType<typeof earlierPicture>>());
  // Known before the page is read again, because the next change uses another operation.
  const [exists, setExists] = useState(isOwn);
  useEffect(() => setExists(isOwn), [isOwn]);
  const [stored, setStored] = useState<{ url: string; colours: readonly string[] }>();
  const { add, change } = BRAND_OPERATIONS[level];
  const operation = useOperation({ operation: exists ? change : add });
  const say = useToast();
  const hasNewLooks = JSON.stringify(looks) !== saved;
  const isUnsaved = hasNewLooks || Object.keys(pictures).length > 0;
  const guard = useLeaveGuard(isUnsaved);
  const refresh = useRefresh();
  const undo = useUndo();
  const { isBusy, alone } = useAlone();

  // Shows changes that were saved or reverted elsewhere on the page, unless there are unsaved choices.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when the page has been read again
  useEffect(() => {
    if (read === saved) return;
    setSaved(read);
    setLooks((looks) => (hasNewLooks ? looks : JSON.parse(read)));
  }, [read]);

  const put = (name: PictureSlug, picture: ChosenPicture | "removed" | undefined) =>
    setPictures(({ [name]: _, ...others }) => (picture ? { ...others, [name]: picture } : others));
  const choosePicture = async (name: PictureSlug, url: string | undefined, picture: ChosenPicture | "removed") => {
    put(name, picture);
    const read = earlierPicture(url, inherited?.[BRAND_PICTURES.find((one) => one.name === name)?.url ?? "logoUrl"]);
    reading.current.set(name, read);
    const content = await read;
    if (reading.current.get(name) === read) setEarlier((others) => ({ ...others, [name]: content }));
  };
  const save = async () => {
    if (!isUnsaved) return;
    undo.forget();
    const names = Object.keys(pictures) as PictureSlug[];
    const read = await Promise.all(names.map(async (name) => [name, await reading.current.get(name)] as const));
    const replaced: Earlier = Object.fromEntries(read);
    const before = { looks: JSON.parse(saved) as Looks, pictures: replaced, isOwn: exists };
    // The colours are sent even if they are unchanged: this creates the branding of an organization that has none.
    if (!(await operation.start(looks))) return;
    setSaved(JSON.stringify(looks));
    setExists(true);
    // Another picture may have been chosen meanwhile.
    const settle = (name: PictureSlug) =>
      setPictures((now) => {
        const { [name]: _, ...others } = now;
        return now[name] === pictures[name] ? others : now;
      });
    const refusal = await savePictures(level, pictures, settle);
    const takeBack = () => {
      setSaved(JSON.stringify(before.looks));
      setLooks((now) => (JSON.stringify(now) === JSON.stringify(looks) ? before.looks : now));
      setExists(before.isOwn);
    };
    if (refusal) operation.refuse(refusal);
    else {
      say(t("settings.savedDraft"));
      const isKnown = Object.values(replaced).every((content) => content !== undefined);
      if (isKnown) void undo.offer({ ...backToDraft(level, before), done: takeBack });
    }
    setEarlier((known) => Object.fromEntries(Object.entries(known).filter(([name]) => !(name in pictures))));
    refresh();
  };
  const discard = () => {
    operation.forget();
    setLooks(JSON.parse(saved));
    setPictures({});
  };
  const chosen = [pictures.logo, pictures.icon, pictures.logo_dark].find(
    (picture): picture is ChosenPicture => picture !== undefined && picture !== "removed",
  );
  const kept = BRAND_PICTURES.filter(({ name }) => name !== "icon_dark" && pictures[name] === undefined);
  const keptUrl = kept.map(({ url }) => brand[url]).find((url) => url !== undefined);
  const logo = pictures.logo === "removed" ? undefined : pictures.logo?.small;
  const choose = (part: Partial<typeof looks>) => setLooks((before) => ({ ...before, ...part }));
  return (
    <div className="brand-editor">
      <ReadyFieldset className="card form bare" isDisabled={!mayWrite}>
        <Problems refusal={operation.refusal} />
        <p className="hint">{t("settings.picturesHint")}</p>
        {mayWrite && !chosen && keptUrl && (
          <StoredColours url={keptUrl} onRead={(colours) => setStored({ url: keptUrl, colours })} />
        )}
        <Suggestions
          colours={chosen?.colours ?? (stored?.url === keptUrl ? stored?.colours : undefined) ?? []}
          chosen={looks.primaryColor}
          onChoose={choose}
        />
        {BRAND_SCHEMES.map((scheme) => (
          <fieldset className="brand-scheme" key={scheme}>
            <legend>{t(`settings.by.preview.${scheme}`)}</legend>
            <div className="pictures">
              {BRAND_PICTURES.filter((picture) => picture.scheme === scheme).map(({ name, url }) => {
                const picture = pictures[name];
                return (
                  <BrandPicture
                    key={`${name} ${picture === undefined}`}
                    name={name}
                    isDark={scheme === "dark"}
                    source={picture === "removed" ? undefined : (picture?.shown ?? brand[url])}
                    mayWrite={mayWrite}
                    onChoose={(chosen) => void choosePicture(name, brand[url], chosen)}
                    onRemove={() =>
                      brand[url] === undefined ? put(name, undefined) : void choosePicture(name, brand[url], "removed")
                    }
                  />
                );
              })}
            </div>
            <BrandColours scheme={scheme} looks={looks} onChoose={choose} />
          </fieldset>
        ))}
        <BrandOptions looks={looks} onChoose={choose} />
        {mayWrite && (
          <SaveButtons
            ids={{ submit: "save-brand", discard: "discard-brand", undo: "undo-brand" }}
            submit={t("settings.saveDraft")}
            look={isUnsaved ? "primary" : undefined}
            isUnsaved={isUnsaved}
            isDisabled={isBusy || !isUnsaved}
            onSave={() => void alone(save)}
            onDiscard={discard}
            undo={undo}
            changes={
              isUnsaved && <BrandChanges before={JSON.parse(saved)} after={looks} {...{ brand, pictures, earlier }} />
            }
          />
        )}
      </ReadyFieldset>
      <BrandPreview level={level} looks={looks} logo={logo} contrasts={contrasts} />
      <LeaveDialog guard={guard} title={t("frame.leaveTitle")} text={t("frame.leaveText")} />
    </div>
  );
}
