// A picture file as the page needs it before it is saved: whole, small for previews, and with the colours in it. All in
// the browser.
import { strikingColours } from "./logo-colours";

export interface ChosenPicture {
  /** Base64, to be saved. */
  content: string;
  /** A `data:` address, to be shown. */
  shown: string;
  /** Base64, as small as pages show it; undefined if it cannot be made small enough to travel with each preview. */
  small: string | undefined;
  colours: readonly string[];
}

/** The sides at most: twice what pages show, for dense screens, else that. */
const BOXES = [
  { width: 480, height: 112 },
  { width: 240, height: 56 },
] as const;
/** Characters. */
const MAX_SMALL = 40_000;
/** Pixels a side, to count colours in. */
const SAMPLE = { width: 96, height: 96 };

/** @returns undefined if the browser knows no such picture */
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

/** Scaled down to fit into the box, never up. */
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
