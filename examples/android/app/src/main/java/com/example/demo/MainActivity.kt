package com.example.demo

import android.app.Activity
import android.net.Uri
import android.os.Bundle
import android.widget.Button
import android.widget.Toast
import androidx.activity.ComponentActivity
import androidx.activity.result.contract.ActivityResultContracts
import net.openid.appauth.AuthorizationException
import net.openid.appauth.AuthorizationRequest
import net.openid.appauth.AuthorizationResponse
import net.openid.appauth.AuthorizationService
import net.openid.appauth.AuthorizationServiceConfiguration
import net.openid.appauth.ResponseTypeValues

class MainActivity : ComponentActivity() {
    private lateinit var service: AuthorizationService

    private val back = registerForActivityResult(ActivityResultContracts.StartActivityForResult()) { result ->
        val data = result.data ?: return@registerForActivityResult
        val response = AuthorizationResponse.fromIntent(data)
        if (result.resultCode != Activity.RESULT_OK || response == null) {
            return@registerForActivityResult say(AuthorizationException.fromIntent(data)?.message)
        }
        service.performTokenRequest(response.createTokenExchangeRequest()) { tokens, problem ->
            say(if (tokens != null) "Signed in" else problem?.message)
        }
    }

    override fun onCreate(savedInstanceState: Bundle?) {
        super.onCreate(savedInstanceState)
        service = AuthorizationService(this)
        setContentView(Button(this).apply { text = "Sign in"; setOnClickListener { signIn() } })
    }

    override fun onDestroy() {
        service.dispose()
        super.onDestroy()
    }

    // The library adds state, nonce and PKCE. It accepts only https: give the service an https address.
    private fun signIn() {
        AuthorizationServiceConfiguration.fetchFromIssuer(Uri.parse("http://localhost:8080")) { configuration, problem ->
            if (configuration == null) return@fetchFromIssuer say(problem?.message)
            val redirect = Uri.parse("com.example.demo:/callback")
            val request = AuthorizationRequest.Builder(configuration, "demo-client", ResponseTypeValues.CODE, redirect)
                .setScope("openid profile email offline_access")
                .build()
            back.launch(service.getAuthorizationRequestIntent(request))
        }
    }

    private fun say(text: String?) = Toast.makeText(this, text ?: "Not signed in", Toast.LENGTH_LONG).show()
}
