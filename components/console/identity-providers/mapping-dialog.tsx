"use client";
// The mapping of a provider as JSON, and what it makes of a sample of the provider's claims.
import { useTranslations } from "next-intl";
import { useState } from "react";
import type { AnswerOf } from "../../../shared/declared";
import type { Refusal } from "../../../shared/refusal";
import { callOperation } from "../calls/call";
import { Problems, RefusedForm } from "../calls/problems";
import { useRefresh } from "../calls/refresh";
import { useToast } from "../calls/toasts";
import { useAlone } from "../calls/use-alone";
import { Dialog } from "../dialogs/dialog";
import { LongTextInput } from "../forms/inputs";
import { withHint } from "../forms/with-hint";
import { Button } from "../parts/button";
import { Facts } from "../parts/facts";
import {
  IDENTITY_PROVIDER_OPERATIONS,
  type IdentityProviderView,
  type ProviderOwnerLevel,
} from "./provider-operations";

type Mapping = NonNullable<IdentityProviderView["mapping"]>;
type Tried = AnswerOf<"TestProviderMapping">;

const EXAMPLE: Mapping = {
  profile: { givenName: "given_name" },
  roles: [{ claim: "groups", value: "staff", projectId: "", roleKeys: ["editor"] }],
};
const SAMPLE = { sub: "248289761001", email: "pat@example.com", groups: ["staff"] };
const shown = (value: object) => JSON.stringify(value, null, 2);

/** Returns the value; undefined if the text is not a JSON object. */
function parsed<Value extends object>(text: string): Value | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Value) : undefined;
  } catch {
    return undefined;
  }
}

interface MappingDialogProps {
  level: ProviderOwnerLevel;
  provider: Pick<IdentityProviderView, "id" | "name" | "mapping">;
}

export function MappingDialog({ level, provider }: MappingDialogProps) {
  const { map, tryMapping } = IDENTITY_PROVIDER_OPERATIONS[level];
  const t = useTranslations();
  const say = useToast();
  const refresh = useRefresh();
  const { isBusy, alone } = useAlone();
  const [isOpen, setOpen] = useState(false);
  const [mappingText, setMappingText] = useState(shown(provider.mapping ?? EXAMPLE));
  const [sampleText, setSampleText] = useState(shown(SAMPLE));
  const [refusal, setRefusal] = useState<Refusal>();
  const [tried, setTried] = useState<Tried>();
  const at = { id: provider.id };

  const send = (work: (mapping: Mapping) => Promise<void>) =>
    alone(async () => {
      setRefusal(undefined);
      setTried(undefined);
      const mapping = parsed<Mapping>(mappingText);
      if (!mapping) return say(t("settings.idpMappingNotJson"));
      await work(mapping).catch(() => say(t("frame.failed")));
    });
  const save = () =>
    send(async (body) => {
      const answer = await callOperation(map, { at, body });
      if (!answer.ok) return setRefusal(answer.refusal);
      setOpen(false);
      say(t("settings.saved"));
      refresh();
    });
  const test = () =>
    send(async (mapping) => {
      const claims = parsed<Record<string, unknown>>(sampleText);
      if (!claims) return say(t("settings.idpMappingNotJson"));
      const answer = await callOperation(tryMapping, { at, body: { claims, mapping } });
      if (answer.ok) setTried(answer.body);
      else setRefusal(answer.refusal);
    });

  return (
    <Dialog
      title={t("settings.idpMappingOf", { name: provider.name })}
      description={t(level === "instance" ? "settings.idpMappingTextService" : "settings.idpMappingText")}
      trigger={{ id: `mapping-${provider.id}`, label: t("settings.idpMapping") }}
      open={isOpen}
      onOpenChange={setOpen}
    >
      <RefusedForm value={refusal}>
        <Problems refusal={refusal} />
        <LongTextInput
          name="mapping"
          label={t("settings.idpMappingRules")}
          hint={t("settings.idpMappingHint")}
          value={mappingText}
          onChange={setMappingText}
          rows={10}
          className="code"
          dir="ltr"
          maxLength={50_000}
        />
        <LongTextInput
          name="claims"
          {...withHint(t, "settings.idpMappingSample")}
          value={sampleText}
          onChange={setSampleText}
          rows={6}
          className="code"
          dir="ltr"
          maxLength={50_000}
        />
        <div className="buttons">
          <Button
            id={`save-mapping-${provider.id}`}
            look="primary"
            label={t("settings.save")}
            disabled={isBusy}
            onClick={save}
          />
          <Button
            id={`test-mapping-${provider.id}`}
            label={t("settings.idpMappingTest")}
            disabled={isBusy}
            onClick={test}
          />
        </div>
        <div role="status">{tried && <TriedMapping {...tried} />}</div>
      </RefusedForm>
    </Dialog>
  );
}

function TriedMapping({ profile, matchedRules, roles }: Tried) {
  const t = useTranslations();
  if (!profile) return <p>{t("settings.idpMappingNoId")}</p>;
  const none = t("settings.idpMappingNone");
  return (
    <Facts
      facts={[
        [t("settings.idpMappingAccount"), `${profile.userName} (${profile.id})`],
        [t("directory.firstName"), profile.givenName ?? none],
        [t("directory.lastName"), profile.familyName ?? none],
        [t("settings.idpMappingMatched"), matchedRules.map((index) => index + 1).join(", ") || none],
        ...roles.map(
          ({ projectId, roleKeys }) =>
            [t("settings.idpMappingRoles", { project: projectId }), roleKeys.join(", ")] as [string, string],
        ),
      ]}
    />
  );
}
