// A mail or a page in a frame, in light or dark mode, at desktop or phone width.
import { useTranslations } from "next-intl";
import { type ReactNode, useState } from "react";
import { EmailFrame, type EmailFrameProps, type Scheme, type Width } from "./email-frame";
import { Segments } from "./segments";

export interface FramedViewProps extends Omit<EmailFrameProps, "scheme" | "width"> {
  /** The width until another one is selected. */
  firstWidth: Width;
  /** Content below the frame. */
  children?: ReactNode;
}

export function FramedView({ firstWidth, children, ...frame }: FramedViewProps) {
  const t = useTranslations();
  const [scheme, setScheme] = useState<Scheme>("light");
  const [chosenWidth, setWidth] = useState<Width>();
  const width = chosenWidth ?? firstWidth;
  return (
    <div className="mail-view">
      <div className="mail-choices">
        <Segments
          name="scheme"
          label={t("texts.scheme")}
          value={scheme}
          options={{ light: t("texts.light"), dark: t("texts.dark") }}
          onChoose={setScheme}
        />
        <Segments
          name="width"
          label={t("texts.width")}
          value={width}
          options={{ desktop: t("texts.desktop"), phone: t("texts.phone") }}
          onChoose={setWidth}
        />
      </div>
      <EmailFrame {...frame} scheme={scheme} width={width} />
      {children}
    </div>
  );
}
