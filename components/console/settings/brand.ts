// The branding of pages and mails as the management API returns it.
import type { Schemas } from "../../../server/api/generated/operations";
import type { AnswerOf, BodyOf } from "../../../shared/declared";
import * as operations from "../../../shared/generated/operations";

export const COLOURS = ["primaryColor", "backgroundColor", "fontColor", "warnColor"] as const;
export type ColourName = (typeof COLOURS)[number];

/** The color schemes: each has its own colors and pictures. */
export const BRAND_SCHEMES = ["light", "dark"] as const;
export type BrandScheme = (typeof BRAND_SCHEMES)[number];

export const THEME_MODE_VALUES = ["THEME_MODE_AUTO", "THEME_MODE_LIGHT", "THEME_MODE_DARK"] as const;

/** The pictures, by the last segment of their addresses; `url` is the member with the picture's address. */
export const BRAND_PICTURES = [
  { name: "logo", url: "logoUrl", scheme: "light" },
  { name: "logo_dark", url: "logoUrlDark", scheme: "dark" },
  { name: "icon", url: "iconUrl", scheme: "light" },
  { name: "icon_dark", url: "iconUrlDark", scheme: "dark" },
] as const;

export type PictureSlug = (typeof BRAND_PICTURES)[number]["name"];

export type LabelPolicy = Schemas["LabelPolicy"];
export type Contrast = AnswerOf<"RenderCustomLabelPolicy">["contrasts"][number];

/** The branding without its pictures. */
export type Looks = Record<ColourName | `${ColourName}Dark`, string> & {
  themeMode: string;
  disableWatermark: boolean;
  hideLoginNameSuffix: boolean;
};

export function looksOf(brand: LabelPolicy): Looks {
  const names = COLOURS.flatMap((name) => [name, `${name}Dark`] as const);
  const colours = Object.fromEntries(names.map((name) => [name, brand[name]])) as Record<ColourName, string>;
  const { themeMode, disableWatermark, hideLoginNameSuffix } = brand;
  return { ...colours, themeMode, disableWatermark, hideLoginNameSuffix } as Looks;
}

/**
 * Returns the request of the initial preview.
 * @param language the language of the visitor
 */
export const firstPreview = (brand: LabelPolicy, language: string) =>
  ({ ...looksOf(brand), page: "login", language }) as BodyOf<"RenderCustomLabelPolicy">;

/** The maximum size of a picture in bytes. */
export const MAX_PICTURE_BYTES = 512 * 1024;

/** The operations of a level on its draft; pictures are named by the last segment of their addresses. */
export const BRAND_OPERATIONS = {
  instance: {
    read: operations.GetInstancePreviewLabelPolicy,
    readShown: operations.GetInstanceLabelPolicy,
    add: operations.SetInstanceLabelPolicy,
    change: operations.SetInstanceLabelPolicy,
    activate: operations.ActivateInstanceLabelPolicy,
    render: operations.RenderInstanceLabelPolicy,
    setPicture: operations.SetInstanceLabelPolicyPicture,
    removePicture: operations.RemoveInstanceLabelPolicyPicture,
  },
  organization: {
    read: operations.GetCustomPreviewLabelPolicy,
    readShown: operations.GetLabelPolicy,
    add: operations.AddCustomLabelPolicy,
    change: operations.UpdateCustomLabelPolicy,
    activate: operations.ActivateCustomLabelPolicy,
    render: operations.RenderCustomLabelPolicy,
    setPicture: operations.SetCustomLabelPolicyPicture,
    removePicture: operations.RemoveCustomLabelPolicyPicture,
  },
} as const;
