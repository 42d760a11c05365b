// How a program gets a token for the API: three methods, each to be copied.
import type { ApiDocs } from "./model";
import { Sample } from "./parts";
import { byKeyFile, bySecret, firstCall, withKeyFile } from "./samples";

export function AuthenticationPage({ docs: { baseUrl, authUrl, audienceScope } }: { docs: ApiDocs }) {
  return (
    <div className="prose">
      <h1>Authentication in one minute</h1>
      <p>
        Every operation takes an access token in the header <code>authorization: Bearer …</code>. Programs get one for a
        machine: an account of its own, whose roles decide what it may do. In the console, add one under Machines, give
        it a role under Administrators, and make a secret or a key.
      </p>
      <h2 id="secret">With a secret</h2>
      <p>
        The client id is the machine's user name. <code>client_credentials</code> (RFC 6749 §4.4) is what to ask for:
      </p>
      <Sample text={bySecret(authUrl, audienceScope)} />
      <h2 id="key-file">With a key file</h2>
      <p>
        A key never travels: the machine signs an assertion (RFC 7523) that is good for minutes. The console offers the
        key as a file with <code>userId</code>, <code>keyId</code> and the private <code>key</code>. This is{" "}
        <code>token.mjs</code>, which needs Node.js and nothing else:
      </p>
      <Sample text={byKeyFile(authUrl, audienceScope)} />
      <Sample text={withKeyFile} />
      <p>
        <code>iss</code> and <code>sub</code> are the machine's id, <code>aud</code> is the issuer,{" "}
        <code>{authUrl}</code>, and <code>exp</code> is at most an hour away.
      </p>
      <h2 id="personal-access-token">With a personal access token</h2>
      <p>
        A machine can have tokens that last until a day of your choice. Add one in the console or by{" "}
        <a href="/docs/api/machines#AddPersonalAccessToken">AddPersonalAccessToken</a>, and send it as it is.
      </p>
      <h2 id="first-call">The first call</h2>
      <p>Who the token belongs to:</p>
      <Sample text={firstCall(baseUrl)} />
      <h2 id="scope">Which scope, which audience</h2>
      <p>
        <code>{audienceScope}</code> puts this API into the token's audience; without it the API answers 401. For an API
        of your own, ask for <code>urn:service:iam:org:project:id:PROJECT_ID:aud</code> with the id of its project
        instead. Both can be asked for at once. <code>openid</code> is asked for with them.
      </p>
      <h2 id="people">In the name of a person</h2>
      <p>
        An app that people sign in to gets such a token, too, if <code>allowManagementApi</code> is switched on for it,
        by the same scope in its <a href="/docs/api/oauth#authorize">authorization request</a>. People are asked each
        time.
      </p>
      <h2 id="trying">Trying it here</h2>
      <p>
        The pages of the operations have a field for your token and a form for each operation. The token stays in the
        page and is sent to this service alone.
      </p>
    </div>
  );
}
