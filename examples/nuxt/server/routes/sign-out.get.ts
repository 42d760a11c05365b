import * as client from "openid-client";

export default defineEventHandler(async (event) => {
  const config = await identity();
  const session = await sessionOf(event);
  const address = client.buildEndSessionUrl(config, {
    id_token_hint: session.data.idToken ?? "",
    post_logout_redirect_uri: "http://localhost:3008/",
  });
  await session.clear();
  return sendRedirect(event, address.href);
});
