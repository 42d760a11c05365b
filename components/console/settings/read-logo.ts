// Reads a picture file for the page before it is saved: the complete file, a small version for previews, and its
// colours. Everything runs in the browser.
import { strikingColours } from "./logo-colours";

export interface ChosenPicture {
  /** The base64 to save. */
  content: string;
  /** A `data:` URL for display. */
  shown: string;
  /**
   * The base64 of a version scaled down to the displayed size; undefined if it cannot be made small enough for each
   * preview request.
   */
  small: string | undefined;
  colours: readonly string[];
}

/** The maximum sizes: twice the displayed size for high-density screens, else the displayed size. */
const BOXES = [
  { width: 480, height: 112 },
  { width: 240, height: 56 },
] as const;
/** The limit of the small version, in characters. */
const MAX_SMALL = 40_000;
/** The size in pixels of the sample in which colours are counted. */
const SAMPLE = { width: 96, height: 96 };

/**
 * Reads a picture.
 * @returns undefined if the browser cannot decode it
 */
export async function readChosenPicture(file: Blob): Promise<ChosenPicture | undefined> {
  const picture = await createImageBitmap(file).catch(() => undefined);
  if (!picture) return undefined;
  const shown = await dataAddress(file);
  const sample = drawn(picture, SAMPLE);
  const pixels = sample.getContext("2d")?.getImageData(0, 0, sample.width, sample.height).data ?? [];
  const smalls = BOXES.map((box) => base64Of(drawn(picture, box).toDataURL("image/webp", 0.9)));
  picture.close();
  const small = smalls.find(({ length }) => length > 0 && length <= MAX_SMALL);
  return { content: base64Of(shown), shown, small, colours: strikingColours(pixels) };
}

/** Draws the picture scaled down to fit into the box; it is never scaled up. */
function drawn(picture: ImageBitmap, box: { width: number; height: number }): HTMLCanvasElement {
  const scale = Math.min(1, box.width / picture.width, box.height / picture.height);
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.round(picture.width * scale));
  canvas.height = Math.max(1, Math.round(picture.height * scale));
  canvas.getContext("2d")?.drawImage(picture, 0, 0, canvas.width, canvas.height);
  return canvas;
}

function dataAddress(file: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
}

const base64Of = (address: string): string => address.slice(address.indexOf(",") + 1);
