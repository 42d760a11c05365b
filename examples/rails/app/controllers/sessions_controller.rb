class SessionsController < ApplicationController
  def show
    person = session[:person]
    return render plain: "Signed in as #{person}" if person

    render inline: '<%= button_to "Sign in", "/auth/identity", data: { turbo: false } %>'
  end

  def create
    info = request.env["omniauth.auth"].info
    reset_session
    session[:person] = info.name
    redirect_to root_path
  end

  def failure
    render plain: params[:message], status: :bad_request
  end
end
