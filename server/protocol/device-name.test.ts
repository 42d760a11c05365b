import { describe, expect, it } from "vitest";
import { processorTime } from "../testing/processor-time";
import { deviceName } from "./device-name";

describe("the name of a browser", () => {
  it.each([
    [
      "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36",
      "Chrome · Linux",
    ],
    [
      "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 Edg/140.0",
      "Edge · Windows",
    ],
    [
      "Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Mobile/15E148 Safari/604.1",
      "Safari · iPhone",
    ],
    ["Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox · macOS"],
    [
      "Mozilla/5.0 (Linux; Android 16; SM-S921B) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36",
      "Samsung Internet · Android",
    ],
    ["curl/8.0", undefined],
    ["<script>", undefined],
    ["", undefined],
  ])("%s is %s", (userAgent, name) => {
    expect(deviceName(userAgent)).toBe(name);
  });

  it("is read from the beginning of a header of the maximum length", async () => {
    const effort = await processorTime(() => {
      for (let time = 0; time < 20; time++) expect(deviceName("Version/".repeat(2_000))).toBeUndefined();
    });
    expect(effort).toBeLessThan(200_000); // µs; more than a second without the bound
  });
});
