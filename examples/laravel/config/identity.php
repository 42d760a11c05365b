<?php

return [
    'issuer' => env('ISSUER', 'http://localhost:8080'),
    'client_id' => env('CLIENT_ID', 'demo-client'),
    'client_secret' => env('CLIENT_SECRET'),
];
