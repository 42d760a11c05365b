import * as client from "openid-client";

export default defineEventHandler(async (event) => {
  const config = await identity();
  const session = await sessionOf(event);
  const { codeVerifier, state } = session.data;
  const came = new URL(event.path, redirectUri);
  const tokens = await client.authorizationCodeGrant(config, came, {
    pkceCodeVerifier: codeVerifier,
    expectedState: state,
  });
  const { sub } = tokens.claims()!;
  const { name } = await client.fetchUserInfo(config, tokens.access_token, sub);
  await session.clear();
  await session.update({ person: { sub, name }, idToken: tokens.id_token });
  return sendRedirect(event, "/");
});
