<?php

use Illuminate\Http\Request;
use Illuminate\Support\Facades\Route;
use League\OAuth2\Client\OptionProvider\HttpBasicAuthOptionProvider;
use League\OAuth2\Client\Provider\GenericProvider;

function identity(): GenericProvider
{
    $issuer = config('identity.issuer');

    return new GenericProvider([
        'clientId' => config('identity.client_id'),
        'clientSecret' => config('identity.client_secret'),
        'redirectUri' => 'http://localhost:3009/callback',
        'urlAuthorize' => "$issuer/oauth/v2/authorize",
        'urlAccessToken' => "$issuer/oauth/v2/token",
        'urlResourceOwnerDetails' => "$issuer/oidc/v1/userinfo",
        'responseResourceOwnerId' => 'sub',
        'scopes' => 'openid profile email',
        'pkceMethod' => GenericProvider::PKCE_METHOD_S256,
    ], ['optionProvider' => new HttpBasicAuthOptionProvider()]);
}

Route::get('/', function (Request $request) {
    $person = $request->session()->get('person');

    return $person ? ['signedInAs' => $person] : ['signIn' => '/sign-in'];
});

Route::get('/sign-in', function (Request $request) {
    $provider = identity();
    $address = $provider->getAuthorizationUrl();
    $request->session()->put('pending', ['state' => $provider->getState(), 'verifier' => $provider->getPkceCode()]);

    return redirect()->away($address);
});

Route::get('/callback', function (Request $request) {
    $pending = $request->session()->pull('pending');
    abort_unless($pending && hash_equals($pending['state'], (string) $request->query('state')), 400, 'Unknown state');
    abort_if($request->query('error'), 400, (string) $request->query('error_description'));

    $provider = identity();
    $provider->setPkceCode($pending['verifier']);
    $token = $provider->getAccessToken('authorization_code', ['code' => $request->query('code')]);
    $person = $provider->getResourceOwner($token)->toArray();

    $request->session()->regenerate();
    $request->session()->put('person', $person);
    $request->session()->put('idToken', $token->getValues()['id_token']);

    return redirect('/');
});

Route::get('/sign-out', function (Request $request) {
    $query = http_build_query([
        'id_token_hint' => $request->session()->get('idToken'),
        'post_logout_redirect_uri' => 'http://localhost:3009/',
    ]);
    $request->session()->invalidate();

    return redirect()->away(config('identity.issuer')."/oidc/v1/end_session?$query");
});
