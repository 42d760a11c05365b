import * as client from "openid-client";

export default defineEventHandler(async (event) => {
  const config = await identity();
  const codeVerifier = client.randomPKCECodeVerifier();
  const state = client.randomState();
  const session = await sessionOf(event);
  await session.update({ codeVerifier, state });
  const address = client.buildAuthorizationUrl(config, {
    redirect_uri: redirectUri,
    scope: "openid profile email",
    code_challenge: await client.calculatePKCECodeChallenge(codeVerifier),
    code_challenge_method: "S256",
    state,
  });
  return sendRedirect(event, address.href);
});
